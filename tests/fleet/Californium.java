// SPDX-License-Identifier: Apache-2.0

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.californium.core.CoapClient;
import org.eclipse.californium.core.CoapHandler;
import org.eclipse.californium.core.CoapObserveRelation;
import org.eclipse.californium.core.CoapResource;
import org.eclipse.californium.core.CoapResponse;
import org.eclipse.californium.core.CoapServer;
import org.eclipse.californium.core.coap.CoAP.Code;
import org.eclipse.californium.core.coap.CoAP.ResponseCode;
import org.eclipse.californium.core.coap.Option;
import org.eclipse.californium.core.coap.OptionSet;
import org.eclipse.californium.core.coap.Request;
import org.eclipse.californium.core.coap.Response;
import org.eclipse.californium.core.coap.option.StandardOptionRegistry;
import org.eclipse.californium.core.config.CoapConfig;
import org.eclipse.californium.core.network.CoapEndpoint;
import org.eclipse.californium.core.network.Exchange;
import org.eclipse.californium.core.server.ServerMessageDeliverer;
import org.eclipse.californium.core.server.resources.CoapExchange;
import org.eclipse.californium.core.server.resources.Resource;
import org.eclipse.californium.elements.config.Configuration;
import org.eclipse.californium.elements.config.UdpConfig;

/**
 * Californium's core as a client, an observer, a proxy and a server. Orders are lines of standard
 * input, and what comes of them is lines of standard output: test_californium.py.
 */
public class Californium {
    private static final int COSE_SIGN1 = 18;

    private static synchronized void say(String kind, Object... words) {
        StringBuilder line = new StringBuilder(kind);
        for (Object word : words) {
            line.append(' ').append(word instanceof byte[] bytes ? hex(bytes) : word);
        }
        System.out.println(line);
    }

    private static String hex(byte[] bytes) {
        return bytes.length == 0 ? "-" : HexFormat.of().formatHex(bytes);
    }

    private static void sayAnswer(CoapResponse answer) {
        if (answer == null) {
            say("answer", "none", -1, "-");
        } else {
            OptionSet options = answer.getOptions();
            say("answer", answer.getCode(), options.getContentFormat(), answer.getPayload());
        }
    }

    /** An endpoint of its own at this computer, with blocks of so many bytes. */
    private static CoapEndpoint endpoint(String host, int block) throws IOException {
        Configuration settings = Configuration.createStandardWithoutFile();
        settings.set(CoapConfig.PREFERRED_BLOCK_SIZE, block);
        settings.set(CoapConfig.MAX_MESSAGE_SIZE, block);
        return CoapEndpoint.builder()
                .setConfiguration(settings)
                .setInetSocketAddress(new InetSocketAddress(InetAddress.getByName(host), 0))
                .build();
    }

    private static CoapClient client(CoapEndpoint endpoint) {
        CoapClient made = new CoapClient();
        made.setEndpoint(endpoint);
        made.setTimeout(60_000L);
        return made;
    }

    private static Option echoOf(OptionSet options) {
        return options.getOtherOption(StandardOptionRegistry.ECHO);
    }

    /** Asks, and once more with the proof of its address if the server wants that. */
    private static CoapResponse ask(CoapClient client, Request request) throws Exception {
        OptionSet options = new OptionSet(request.getOptions());
        CoapResponse answer = client.advanced(request);
        Option echo = answer == null ? null : echoOf(answer.getOptions());
        if (echo == null || answer.getCode() != ResponseCode.UNAUTHORIZED) {
            return answer;
        }
        Request again = new Request(request.getCode());
        again.setOptions(options);
        again.getOptions().addOption(echo);
        again.setPayload(request.getPayload());
        again.setURI(request.getURI());
        return client.advanced(again);
    }

    /** Writes down what comes of an observation, which is begun again where an address is proven. */
    private static final class Observer implements CoapHandler {
        private final String uri;
        private final CoapClient client;

        Observer(String uri, CoapClient client) {
            this.uri = uri;
            this.client = client;
        }

        void begin(Option echo) {
            Request request = Request.newGet();
            request.setURI(uri);
            request.setObserve();
            if (echo != null) {
                request.getOptions().addOption(echo);
            }
            observation = client.observe(request, this);
        }

        @Override
        public void onLoad(CoapResponse answer) {
            sayAnswer(answer);
            if (answer.getCode() == ResponseCode.UNAUTHORIZED) {
                begin(echoOf(answer.getOptions()));
            }
        }

        @Override
        public void onError() {
            sayAnswer(null);
        }
    }

    private static volatile CoapObserveRelation observation;

    /** What is asked for through the proxy, at one address. Who observes it shares an observation. */
    private static final class Target extends CoapResource {
        private final String uri;
        private final CoapClient client;
        private Response newest;

        Target(String uri, CoapClient client) {
            super("target");
            this.uri = uri;
            this.client = client;
            setObservable(true);
        }

        private Request passedOn(Request asked) {
            Request made = new Request(asked.getCode(), asked.getType());
            OptionSet options = new OptionSet(asked.getOptions());
            options.removeProxyScheme().removeProxyUri().removeUriHost().removeUriPort();
            options.removeBlock1().removeBlock2().removeObserve();
            made.setOptions(options);
            made.setPayload(asked.getPayload());
            made.setURI(uri);
            return made;
        }

        private static Response passedBack(Response answer) {
            Response made = new Response(answer.getCode());
            OptionSet options = new OptionSet(answer.getOptions());
            options.removeBlock1().removeBlock2().removeObserve();
            made.setOptions(options);
            made.setPayload(answer.getPayload());
            return made;
        }

        @Override
        public void handleRequest(Exchange exchange) {
            CoapExchange asked = new CoapExchange(exchange);
            Request request = exchange.getRequest();
            boolean isObserved = request.getCode() == Code.GET && request.isObserve();
            synchronized (this) {
                if (isObserved && newest != null) {
                    asked.respond(passedBack(newest));
                    return;
                }
            }
            Request onward = passedOn(request);
            Passer passer = new Passer(asked, isObserved);
            if (isObserved) {
                onward.setObserve();
                client.observe(onward, passer);
            } else {
                client.advanced(passer, onward);
            }
        }

        /** Answers who asked, and tells those who observe what comes later. */
        private final class Passer implements CoapHandler {
            private final CoapExchange asked;
            private final boolean isObserved;
            private boolean isAnswered;

            Passer(CoapExchange asked, boolean isObserved) {
                this.asked = asked;
                this.isObserved = isObserved;
            }

            @Override
            public void onLoad(CoapResponse answer) {
                Response response = answer.advanced();
                synchronized (Target.this) {
                    boolean goesOn = isObserved && response.getOptions().hasObserve();
                    newest = goesOn ? response : null;
                }
                if (isAnswered) {
                    say("passed", answer.getPayload());
                    changed();
                } else {
                    isAnswered = true;
                    asked.respond(passedBack(response));
                }
            }

            @Override
            public void onError() {
                synchronized (Target.this) {
                    newest = null;
                }
                if (!isAnswered) {
                    isAnswered = true;
                    asked.respond(ResponseCode.GATEWAY_TIMEOUT);
                }
            }
        }
    }

    /** Finds no resource of its own, but the one that a request is meant for. */
    private static final class Forwarding extends ServerMessageDeliverer {
        private final Map<String, Target> targets = new ConcurrentHashMap<>();
        private final CoapClient client;

        Forwarding(Resource root, Configuration settings, CoapClient client) {
            super(root, settings);
            this.client = client;
        }

        @Override
        protected Resource findResource(Exchange exchange) {
            OptionSet options = exchange.getRequest().getOptions();
            String uri = options.getProxyUri();
            if (uri == null) {
                String query = options.getURIQueryCount() == 0 ? "" : "?" + options.getUriQueryString();
                uri = "coap://" + options.getUriHost() + ":" + options.getUriPort() + "/"
                        + options.getUriPathString() + query;
            }
            return targets.computeIfAbsent(uri, each -> new Target(each, client));
        }
    }

    private static void startProxy() throws IOException {
        CoapEndpoint front = endpoint("127.0.0.1", 1024);
        CoapServer server = new CoapServer(front.getConfig());
        server.addEndpoint(front);
        CoapClient client = client(endpoint("127.0.0.1", 1024));
        server.setMessageDeliverer(new Forwarding(server.getRoot(), front.getConfig(), client));
        server.start();
        say("port", front.getAddress().getPort());
    }

    /** Challenges, and writes down what answers it; what it is worth is for others to say. */
    private static final class Registration extends CoapResource {
        private final SecureRandom random = new SecureRandom();
        private byte[] nonce = new byte[0];

        Registration(String name) {
            super(name);
        }

        @Override
        public void handlePOST(CoapExchange asked) {
            Option echo = echoOf(asked.getRequestOptions());
            if (echo == null || nonce.length == 0 || !Arrays.equals(echo.getValue(), nonce)) {
                nonce = new byte[8];
                random.nextBytes(nonce);
                Response challenge = new Response(ResponseCode.UNAUTHORIZED);
                challenge.getOptions().addOption(StandardOptionRegistry.ECHO.create(nonce));
                asked.respond(challenge);
                return;
            }
            List<String> query = asked.getRequestOptions().getUriQuery();
            say("registered", getName(), nonce, asked.getRequestPayload(), String.join("&", query));
            nonce = new byte[0];
            asked.setLocationPath(getName().equals("reg") ? "ps/data/1bd0d6d" : "reg/1/");
            asked.respond(ResponseCode.CREATED);
        }
    }

    /** Takes readings. */
    private static final class Topic extends CoapResource {
        Topic(String name) {
            super(name);
        }

        @Override
        public void handlePUT(CoapExchange asked) {
            boolean isReading = asked.getRequestOptions().isContentFormat(COSE_SIGN1);
            say("published", isReading, asked.advanced().getRequest().isConfirmable(),
                    asked.getRequestPayload());
            asked.respond(ResponseCode.CHANGED);
        }
    }

    private static void startServer() throws IOException {
        CoapEndpoint front = endpoint("127.0.0.1", 1024);
        CoapServer server = new CoapServer(front.getConfig());
        server.addEndpoint(front);
        Resource data = new CoapResource("data");
        data.add(new Topic("1bd0d6d"));
        Resource topics = new CoapResource("ps");
        topics.add(data);
        server.add(topics, new Registration("reg"), new Registration("rd"));
        server.start();
        say("port", front.getAddress().getPort());
    }

    private static void obey(String[] words) throws Exception {
        switch (words[0]) {
            case "get" -> {
                CoapEndpoint endpoint = endpoint("127.0.0.1", Integer.parseInt(words[2]));
                CoapClient client = client(endpoint).useEarlyNegotiation(Integer.parseInt(words[2]));
                Request request = Request.newGet();
                request.setURI(words[1]);
                sayAnswer(ask(client, request));
                endpoint.destroy();
            }
            case "stock-get", "stock-post" -> {
                CoapEndpoint endpoint = endpoint("127.0.0.1", 1024);
                boolean isPost = words[0].equals("stock-post");
                Request request = isPost ? Request.newPost() : Request.newGet();
                request.setURI(words[1]);
                if (isPost) {
                    request.getOptions().setContentFormat(Integer.parseInt(words[2]));
                    request.setPayload(HexFormat.of().parseHex(words[3]));
                }
                sayAnswer(client(endpoint).advanced(request));
                endpoint.destroy();
            }
            case "put" -> {
                CoapEndpoint endpoint = endpoint("127.0.0.1", 1024);
                Request request = Request.newPut();
                request.setURI(words[1]);
                request.getOptions().setContentFormat(Integer.parseInt(words[2]));
                request.setPayload(HexFormat.of().parseHex(words[3]));
                sayAnswer(ask(client(endpoint), request));
                endpoint.destroy();
            }
            case "observe" -> {
                CoapClient client = client(endpoint("127.0.0.1", 1024));
                new Observer(words[1], client).begin(null);
            }
            case "end" -> observation.proactiveCancel();
            case "proxy" -> startProxy();
            case "serve" -> startServer();
            default -> throw new IllegalArgumentException(words[0]);
        }
    }

    /** Obeys each line, until there is none. */
    public static void main(String[] arguments) throws Exception {
        CoapConfig.register();
        UdpConfig.register();
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in));
        for (String line = orders.readLine(); line != null; line = orders.readLine()) {
            obey(line.split(" "));
        }
        System.exit(0);
    }
}
