import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { get } from 'node:https';
import { createServingCertificate } from '../../../packages/apiserver/src/index.ts';
import { findFreePortRange } from '../../e2e/cluster.ts';
import { chooseBySize } from '../size.ts';
import { cliPath } from './servers.ts';

/** Measures the time until the server is ready, as the median of several fresh processes, beside an HTTPS server that does nothing else. */
export async function benchStartUp(): Promise<string[][]> {
  const port = await findFreePortRange(1);
  const [ours = 0, emptyServer = 0] = await measureFirstAnswers(port, [
    [cliPath, 'apiserver', '--port', String(port), '--token', token],
    ['--eval', emptyServerProgram(port)],
  ]);
  return [
    ['createApiServer(), including imports', `${measureMedian(inProcessProgram).toFixed(0)} ms`, '100 ms'],
    ['with listen() on HTTPS and a new certificate', `${measureMedian(listeningProgram).toFixed(0)} ms`, '100 ms'],
    ['kubectl-endpoints apiserver, from its start to the first answer', `${ours.toFixed(0)} ms`, '150 ms'],
    ['an HTTPS server of Node.js that serves nothing, the same', `${emptyServer.toFixed(0)} ms`, `${(ours / emptyServer).toFixed(1)} x`],
  ];
}

const inProcessProgram = `
  const start = performance.now();
  const { createApiServer } = await import('@kube-endpoints/apiserver');
  const server = await createApiServer();
  console.log(performance.now() - start);
  await server.close();
`;

const listeningProgram = `
  const start = performance.now();
  const { createApiServer } = await import('@kube-endpoints/apiserver');
  const server = await createApiServer();
  await server.listen({ port: 0 });
  console.log(performance.now() - start);
  await server.close();
`;

function measureMedian(program: string): number {
  return medianOf(
    Array.from({ length: roundCount }, () =>
      Number(execFileSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' })),
    ),
  );
}

/** A server with a certificate that exists already, for HTTP/1.1 and HTTP/2. */
function emptyServerProgram(port: number): string {
  const { key, cert } = createServingCertificate({ names: ['127.0.0.1'], now: Date.now(), randomBytes });
  const options = JSON.stringify({ allowHTTP1: true, key, cert });
  return `require('node:http2').createSecureServer(${options}, (_, response) => response.end('{}')).listen(${port}, '127.0.0.1')`;
}

/** Starts the programs in turn, and returns for each the median of the milliseconds from its start to its first answer. */
async function measureFirstAnswers(port: number, programs: readonly (readonly string[])[]): Promise<readonly number[]> {
  const times: number[][] = programs.map(() => []);
  for (let round = 0; round < roundCount; round++) {
    for (const [i, args] of programs.entries()) times[i]?.push(await measureFirstAnswer(port, args));
  }
  return times.map(medianOf);
}

async function measureFirstAnswer(port: number, args: readonly string[]): Promise<number> {
  const start = performance.now();
  const server = spawn(process.execPath, args, { stdio: 'ignore' });
  try {
    while (!(await isAnswered(port)) && server.exitCode === null);
    return performance.now() - start;
  } finally {
    server.kill();
    if (server.exitCode === null) await once(server, 'exit');
  }
}

const isAnswered = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const headers = { authorization: `Bearer ${token}` };
    get({ host: '127.0.0.1', port, path: '/api/v1/namespaces', headers, rejectUnauthorized: false, agent: false }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode === 200));
    }).on('error', () => resolve(false));
  });

const token = 'bench';

const roundCount = chooseBySize(7, 1);

const medianOf = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[times.length >> 1] as number;
