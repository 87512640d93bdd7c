// SPDX-License-Identifier: Apache-2.0
//! The groups in which servers are asked for (RFC 7252, section 12.8; RFC 9176, section 9.5). A socket for each is how
//! the engine knows what was sent to a group: that is answered by other rules, from the server's own socket.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV6, UdpSocket};

use rustix::net::netdevice::name_to_index;
use socket2::{Domain, InterfaceIndexOrAddress, SockRef, Socket, Type};

/// All CoAP nodes, and all resource directories, on a link and in a site.
const GROUPS: [IpAddr; 6] = [
    IpAddr::V4(Ipv4Addr::new(224, 0, 1, 187)),
    IpAddr::V4(Ipv4Addr::new(224, 0, 1, 190)),
    IpAddr::V6(Ipv6Addr::new(0xff02, 0, 0, 0, 0, 0, 0, 0xfd)),
    IpAddr::V6(Ipv6Addr::new(0xff05, 0, 0, 0, 0, 0, 0, 0xfd)),
    IpAddr::V6(Ipv6Addr::new(0xff02, 0, 0, 0, 0, 0, 0, 0xfe)),
    IpAddr::V6(Ipv6Addr::new(0xff05, 0, 0, 0, 0, 0, 0, 0xfe)),
];

/// Drops messages to a group that another program on this computer has joined: they
/// would be answered as if they had been sent only to the server.
pub fn close_to_others(socket: &UdpSocket) {
    let socket = SockRef::from(socket);
    // One of the two is not for this family, and older kernels do not have the other.
    let _ = socket.set_multicast_all_v4(false);
    let _ = socket.set_multicast_all_v6(false);
}

/// Joins the groups at these interfaces, at the port of the server's socket. An interface has to have one of them.
pub fn join<'a>(
    server: &UdpSocket,
    interfaces: impl IntoIterator<Item = &'a str>,
) -> Result<Vec<UdpSocket>, String> {
    let mut joined = Vec::new();
    share(server, true).map_err(|error| error.to_string())?;
    for interface in interfaces {
        let more = join_at(server, interface).map_err(|error| format!("{interface}: {error}"))?;
        joined.extend(more);
    }
    // From now on no other program gets the port, and with it messages for the server.
    for socket in joined.iter().chain([server]) {
        share(socket, false).map_err(|error| error.to_string())?;
    }
    Ok(joined)
}

fn share(socket: &UdpSocket, is_shared: bool) -> io::Result<()> {
    SockRef::from(socket).set_reuse_address(is_shared)
}

fn join_at(server: &UdpSocket, interface: &str) -> io::Result<Vec<UdpSocket>> {
    let index = name_to_index(server, interface)?;
    let local = server.local_addr()?;
    let mut joined = Vec::new();
    let mut failed = io::ErrorKind::Unsupported.into();
    for group in GROUPS.into_iter().filter(|group| is_reached(local, group)) {
        match join_group(group, local.port(), index) {
            Ok(socket) => joined.push(socket),
            Err(error) => failed = error,
        }
    }
    match joined.is_empty() {
        true => Err(failed),
        false => Ok(joined),
    }
}

/// Whether the server's socket can answer who asks this group.
fn is_reached(local: SocketAddr, group: &IpAddr) -> bool {
    group.is_ipv4() == local.is_ipv4() || local.ip() == IpAddr::V6(Ipv6Addr::UNSPECIFIED)
}

fn join_group(group: IpAddr, port: u16, interface: u32) -> io::Result<UdpSocket> {
    let address = match group {
        IpAddr::V4(_) => SocketAddr::new(group, port),
        IpAddr::V6(group) => SocketAddrV6::new(group, port, 0, interface).into(),
    };
    let socket = Socket::new(Domain::for_address(address), Type::DGRAM, None)?;
    socket.set_reuse_address(true)?;
    socket.bind(&address.into())?;
    match group {
        IpAddr::V4(group) => {
            let interface = InterfaceIndexOrAddress::Index(interface);
            socket.join_multicast_v4_n(&group, &interface)?;
        }
        IpAddr::V6(group) => socket.join_multicast_v6(&group, interface)?,
    }
    let socket = socket.into();
    close_to_others(&socket);
    Ok(socket)
}

/// A peer as the server's socket knows it: one of IPv6 writes addresses of IPv4 in its own way.
pub fn as_known(server: SocketAddr, peer: SocketAddr) -> SocketAddr {
    match (server, peer) {
        (SocketAddr::V6(_), SocketAddr::V4(peer)) => {
            SocketAddr::new(peer.ip().to_ipv6_mapped().into(), peer.port())
        }
        (_, peer) => peer,
    }
}
