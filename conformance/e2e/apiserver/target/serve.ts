import { writeFileSync } from 'node:fs';
import { createApiServer } from '@kube-endpoints/apiserver';

/** Usage: serve.ts FILE. Runs this project's API server without background controllers until SIGTERM, and writes its kubeconfig to FILE. */
const server = await createApiServer({ background: false, endsPods: false });
const { kubeconfig } = await server.listen({ port: 0 });
writeFileSync(process.argv[2] ?? '/dev/stdout', kubeconfig());
process.once('SIGTERM', () => void server.close());
