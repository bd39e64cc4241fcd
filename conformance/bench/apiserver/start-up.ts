import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { get } from 'node:https';
import { findFreePortRange } from '../../e2e/cluster.ts';
import { chooseBySize } from '../size.ts';
import { cliPath } from './servers.ts';

/** Measures the time until the server is ready, as the median of several fresh processes. */
export async function benchStartUp(): Promise<string[][]> {
  return [
    ['createApiServer(), including imports', `${measureMedian(inProcessProgram).toFixed(0)} ms`, '100 ms'],
    ['with listen() on HTTPS and a new certificate', `${measureMedian(listeningProgram).toFixed(0)} ms`, '100 ms'],
    ['kubectl-endpoints apiserver, from its start to the first answer', `${(await measureFirstAnswer()).toFixed(0)} ms`, '150 ms'],
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

async function measureFirstAnswer(): Promise<number> {
  const port = await findFreePortRange(1);
  const times: number[] = [];
  for (let round = 0; round < roundCount; round++) {
    const start = performance.now();
    const server = spawn(process.execPath, [cliPath, 'apiserver', '--port', String(port), '--token', token], { stdio: 'ignore' });
    try {
      while (!(await isAnswered(port)) && server.exitCode === null);
      times.push(performance.now() - start);
    } finally {
      server.kill();
      if (server.exitCode === null) await once(server, 'exit');
    }
  }
  return medianOf(times);
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
