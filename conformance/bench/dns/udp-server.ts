/** Runs a UDP server in its own process: an echo server, or a DNS server for a cluster of Services. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createDnsServer } from '@kube-endpoints/dns-server';
import { createClusterZone } from 'kube-endpoints/dns';
import { createObjects } from './objects.ts';

const [mode, serviceCount] = process.argv.slice(2);
const port = mode === 'echo' ? await startEcho() : await startDns(Number(serviceCount));

process.on('message', () => process.send?.({ cpu: process.cpuUsage() }));
process.on('disconnect', () => process.exit());
process.send?.({ port });

async function startEcho(): Promise<number> {
  const socket = createSocket('udp4');
  socket.on('message', (message, sender) => socket.send(message, sender.port, sender.address));
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return socket.address().port;
}

async function startDns(serviceCount: number): Promise<number> {
  const zone = createClusterZone({}, { objects: createObjects(serviceCount), now: () => Date.now() });
  const server = createDnsServer({ answer: zone.answer, revision: () => zone.revision });
  return (await server.listen()).port;
}
