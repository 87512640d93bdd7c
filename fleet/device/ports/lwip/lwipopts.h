/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lwIP for a device that asks two servers by UDP: IPv4 at a given address, in memory of
 * fixed size, without a system below it.
 */
#ifndef LWIPOPTS_H
#define LWIPOPTS_H

#define NO_SYS 1
#define SYS_LIGHTWEIGHT_PROT 0
#define LWIP_SINGLE_NETIF 1
#define LWIP_TIMERS 0 /* Only ARP's is left, which the transport calls */

#define LWIP_NETCONN 0
#define LWIP_SOCKET 0
#define LWIP_TCP 0
#define LWIP_RAW 0
#define LWIP_ICMP 0 /* no answers to pings */
#define LWIP_STATS 0
#define IP_FORWARD 0
#define IP_REASSEMBLY 0
#define IP_FRAG 0
#define LWIP_NOASSERT 1

#define MEM_ALIGNMENT 4
#define ETH_PAD_SIZE 2 /* as LAN9118_PAD */

/* Frames, in either direction. The latest message of each server may wait, as what is sent to each
 * may for an answer of ARP, and another frame is on its way. Each is in one piece: a
 * longer message than our longest, behind lwIP's space for headers, is not for us. */
#define PBUF_POOL_SIZE 5
#define PBUF_POOL_BUFSIZE 520

#define MEM_SIZE 128 /* requests and answers of ARP */
#define MEMP_NUM_PBUF 1
#define MEMP_NUM_UDP_PCB 2
#define ARP_TABLE_SIZE 2
#define ARP_QUEUEING 0

#endif
