import { writeFileSync } from 'node:fs';
import { createApiServer } from '@kube-endpoints/apiserver';

/** Usage: serve.ts FILE. Serves without anything that goes on in the background until it is told to end; FILE is the kubeconfig. */
const server = await createApiServer({ background: false, endsPods: false });
const { kubeconfig } = await server.listen({ port: 0 });
writeFileSync(process.argv[2] ?? '/dev/stdout', kubeconfig());
process.once('SIGTERM', () => void server.close());
