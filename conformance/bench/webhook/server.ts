/** Runs a webhook server in its own process: the overrides webhook with generated rules, or an echo that allows everything. */
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createServingCertificate } from '@kube-endpoints/apiserver';
import { createOverrides } from '@kube-endpoints/overrides';
import { createWebhookServer } from '@kube-endpoints/overrides/webhook';
import { createRules } from './rules.ts';

const [, , mode = 'echo', count = '0'] = process.argv;
const tls = createServingCertificate({ names: ['localhost', '127.0.0.1'], now: Date.now(), randomBytes: (size) => randomBytes(size) });
const port = mode === 'echo' ? await startEcho() : await startWebhook(Number(count));
process.on('message', () => process.send?.({ cpu: process.cpuUsage() }));
process.on('disconnect', () => process.exit(0));
process.send?.({ port, ca: tls.ca });

async function startWebhook(ruleCount: number): Promise<number> {
  const server = createWebhookServer({ tls, overrides: createOverrides(createRules(ruleCount)) });
  return (await server.listen({ host: '127.0.0.1' })).port;
}

function startEcho(): Promise<number> {
  const server = createServer({ key: tls.key, cert: tls.cert, noDelay: true, keepAliveTimeout: 120_000 }, (incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const { request } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { readonly request: { readonly uid: string } };
      const review = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response: { uid: request.uid, allowed: true } };
      const body = JSON.stringify(review);
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }).end(body);
    });
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}
