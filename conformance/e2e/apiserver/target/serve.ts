import { writeFileSync } from 'node:fs';
import { createApiServer } from '@kube-endpoints/apiserver';
import { testUsers } from './target.ts';

/**
 * Usage: serve.ts FILE [RBAC]. Runs this project's API server without background controllers until SIGTERM, and writes its kubeconfig to FILE.
 * The administrator has the name that it has on the real server. With RBAC, the test users have tokens, and anonymous requests are accepted.
 */
const [file = '/dev/stdout', mode] = process.argv.slice(2);
const isRbac = mode === 'RBAC';
const server = await createApiServer({ background: false, endsPods: false, ...(isRbac && { authorization: 'rbac' }) });
const admin = { token: crypto.randomUUID(), user: { username: 'admin', uid: 'admin', groups: ['system:masters'] } };
const users = testUsers.map(({ token, ...user }) => ({ token, user }));
const { kubeconfig } = await server.listen({ port: 0, anonymous: isRbac, tokens: [admin, ...(isRbac ? users : [])] });
writeFileSync(file, kubeconfig());
process.once('SIGTERM', () => void server.close());
