import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Answer, type Client, createClient, readAccess } from './client.ts';
import { startServer } from './server.ts';

const path = '/api/v1/namespaces/default/configmaps';
const diskMiB = 4;

/**
 * Fills a small file system while a client writes to the server, then frees space, and kills and restarts the server.
 * @param folder a new folder, on which the file system is mounted
 * @returns the problems, or undefined if this user cannot mount a file system
 */
export async function checkFullDisk(folder: string, port: number): Promise<string[] | undefined> {
  mkdirSync(folder);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${diskMiB}m`, 'durability', folder], { stdio: 'ignore' });
  } catch {
    return undefined;
  }
  try {
    return await checkMounted(folder, port);
  } finally {
    execFileSync('umount', ['--lazy', folder]);
  }
}

async function checkMounted(folder: string, port: number): Promise<string[]> {
  const kubeconfig = join(folder, '..', 'kubeconfig-full-disk');
  const flags = ['--port', String(port), '--data', join(folder, 'data')];
  let server = startServer(...flags, '--kubeconfig-out', kubeconfig);
  const problems: string[] = [];
  const check = (isMet: boolean, problem: string): void => {
    if (!isMet) problems.push(problem);
  };
  try {
    await server.ready;
    const client = createClient(readAccess(kubeconfig));
    const ballast = join(folder, 'ballast');
    writeFileSync(ballast, Buffer.alloc(2 ** 20));
    const { names, refusal } = await createUntilRefused(client);
    check(refusal.code === 500, `the refused write has code ${refusal.code}`);
    check(
      /no space left on the device: free some space \(ENOSPC\)/.test(refusal.object.message ?? ''),
      `the refusal says ${refusal.object.message}`,
    );
    check((await namesOf(client)).join() === names.join(), 'reads on a full disk do not show the acknowledged objects');
    rmSync(ballast);
    const { code } = await create(client, 'after');
    check(code === 201, `a write after space was freed has code ${code}`);
    client.close();
    await server.kill();
    server = startServer(...flags);
    await server.ready;
    check(
      (await namesOf(client)).join() === ['after', ...names].join(),
      'after a restart, the objects are not those that were acknowledged',
    );
    client.close();
  } finally {
    await server.kill();
  }
  return problems;
}

const create = (client: Client, name: string): Promise<Answer> =>
  client.send({ method: 'POST', path, body: { metadata: { name }, data: { padding: 'x'.repeat(50_000) } } });

async function createUntilRefused(client: Client): Promise<{ readonly names: readonly string[]; readonly refusal: Answer }> {
  const names: string[] = [];
  for (;;) {
    const name = `m${String(names.length).padStart(4, '0')}`;
    const answer = await create(client, name);
    if (answer.code !== 201) return { names, refusal: answer };
    names.push(name);
  }
}

/** The names of the ConfigMaps, without the one that the server creates. */
async function namesOf(client: Client): Promise<readonly string[]> {
  const { object } = await client.send({ method: 'GET', path });
  return (object.items ?? []).map(({ metadata }) => metadata.name ?? '').filter((name) => name !== 'kube-root-ca.crt');
}
