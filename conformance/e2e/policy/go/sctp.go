package main

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"net"
	"strings"
	"sync/atomic"
	"time"
)

// SCTP through raw sockets, which need no support of SCTP by the kernel: the first packet of a connection, INIT, and its reply, INIT ACK,
// as RFC 9260, section 3.3 has them, so that the kernel's connection tracking accepts them.

const (
	chunkInit    = 1
	chunkInitAck = 2
	// A common header, and a chunk without parameters.
	packetLength = 12 + 20
	// The name of the replying namespace follows as a parameter of an unknown type, which receivers skip.
	parameterType = 0xc0de
)

var lastSCTPPort atomic.Uint32

func sendSCTP(p packetProbe) (string, error) {
	from, to := &net.IPAddr{IP: net.ParseIP(p.From)}, &net.IPAddr{IP: net.ParseIP(p.To)}
	connection, err := net.DialIP(sctpNetwork(p.From), from, to)
	if err != nil {
		return "", err
	}
	defer connection.Close()
	check(connection.SetDeadline(time.Now().Add(deadline)))
	port := uint16(32768 + lastSCTPPort.Add(1)%16384)
	if _, err := connection.Write(sctpPacket(chunkInit, port, uint16(p.Port), 0, "")); err != nil {
		return "", err
	}
	reply := make([]byte, 256)
	for {
		n, _, err := connection.ReadFromIP(reply)
		if err != nil {
			return "", err
		}
		if n >= packetLength+4 && reply[12] == chunkInitAck && binary.BigEndian.Uint16(reply[2:]) == port {
			end := packetLength + int(binary.BigEndian.Uint16(reply[packetLength+2:]))
			return string(reply[packetLength+4 : min(end, n)]), nil
		}
	}
}

func listenSCTP(address string, namespace string) {
	connection, err := net.ListenIP(sctpNetwork(address), &net.IPAddr{IP: net.ParseIP(address)})
	check(err)
	go func() {
		request := make([]byte, 256)
		for {
			n, client, err := connection.ReadFromIP(request)
			check(err)
			if n < packetLength || request[12] != chunkInit {
				continue
			}
			from, to := binary.BigEndian.Uint16(request), binary.BigEndian.Uint16(request[2:])
			tag := binary.BigEndian.Uint32(request[16:])
			_, err = connection.WriteToIP(sctpPacket(chunkInitAck, to, from, tag, fmt.Sprintf("%s %d", namespace, to)), client)
			check(err)
		}
	}()
}

func sctpNetwork(address string) string {
	if strings.Contains(address, ":") {
		return "ip6:132"
	}
	return "ip4:132"
}

// sctpPacket returns a packet with one chunk. A text becomes its parameter.
func sctpPacket(chunk byte, from, to uint16, verificationTag uint32, text string) []byte {
	b := make([]byte, packetLength)
	binary.BigEndian.PutUint16(b, from)
	binary.BigEndian.PutUint16(b[2:], to)
	binary.BigEndian.PutUint32(b[4:], verificationTag)
	b[12] = chunk
	binary.BigEndian.PutUint32(b[16:], 1+uint32(from)) // initiate tag, not 0
	binary.BigEndian.PutUint32(b[20:], 65536)          // receiver window
	binary.BigEndian.PutUint32(b[24:], 1<<16|1)        // streams
	binary.BigEndian.PutUint32(b[28:], 1)              // initial sequence number
	length := 20
	if text != "" {
		b = binary.BigEndian.AppendUint16(b, parameterType)
		b = binary.BigEndian.AppendUint16(b, uint16(4+len(text)))
		b = append(b, text...)
		length += 4 + len(text)
		b = append(b, make([]byte, (4-len(text)%4)%4)...)
	}
	binary.BigEndian.PutUint16(b[14:], uint16(length))
	binary.LittleEndian.PutUint32(b[8:], crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)))
	return b
}
