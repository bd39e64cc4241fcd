/** Runs a UDP server in its own process: an echo server, or a DNS server for a cluster of Services. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createDnsServer } from '@kube-endpoints/dns-server';
import { createClusterZone } from 'kube-endpoints/dns';
import { worldOf } from './world.ts';

const [kind, services] = process.argv.slice(2);
const port = kind === 'echo' ? await echo() : await dns(Number(services));

process.on('message', () => process.send?.({ cpu: process.cpuUsage() }));
process.on('disconnect', () => process.exit());
process.send?.({ port });

async function echo(): Promise<number> {
  const socket = createSocket('udp4');
  socket.on('message', (message, from) => socket.send(message, from.port, from.address));
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return socket.address().port;
}

async function dns(count: number): Promise<number> {
  const zone = createClusterZone({}, { objects: worldOf(count), now: () => Date.now() });
  const server = createDnsServer({ answer: zone.answer, revision: () => zone.revision });
  return (await server.listen()).port;
}
