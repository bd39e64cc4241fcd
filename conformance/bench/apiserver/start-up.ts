import { execFileSync } from 'node:child_process';
import { chooseBySize } from '../size.ts';

/** Measures the time from the import of the package until the server is ready, as the median of several fresh processes. */
export async function benchStartUp(): Promise<string[][]> {
  return [
    ['createApiServer(), including imports', `${measureMedian(inProcessProgram).toFixed(0)} ms`, '100 ms'],
    ['with listen() on HTTPS and a new certificate', `${measureMedian(listeningProgram).toFixed(0)} ms`, '100 ms'],
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
  const times = Array.from({ length: chooseBySize(7, 1) }, () =>
    Number(execFileSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' })),
  );
  return times.sort((a, b) => a - b)[times.length >> 1] as number;
}
