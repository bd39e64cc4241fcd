import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import type { Profiler } from 'node:inspector';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chooseBySize } from '../size.ts';
import { type Access, connect } from './client.ts';
import { configMap, namespace, pathsIn } from './objects.ts';
import { writesPerSecond } from './scenarios.ts';
import { withEmbedded } from './servers.ts';

/** The parts of the server. The first pattern that matches a function and the place of its source decides. */
const parts: readonly (readonly [RegExp, string])[] = [
  [/^\(garbage collector\)/, 'garbage collection'],
  [
    /^(?:writeUtf8String|writeLatin1String|writev|writeBuffer|read|readStart) |node:(?:net|_?tls|internal\/stream_base_commons)/,
    'Node.js: sockets and TLS',
  ],
  [/node:_http/, 'Node.js: HTTP'],
  [/ (?:node:.*)?$/, 'Node.js: streams, events, promises'],
  [/apiserver\/src\/(?:server|http|http-server)/, 'requests, bodies and answers'],
  [/apiserver\/src\/patch\//, 'managed fields'],
  [/apiserver\/src\/(?:registry|store)\//, 'registry and store'],
  [/./, 'decoding, admission, validation'],
];

const writeCount = chooseBySize(40_000, 500);

/** Measures where the processor time of a server goes while clients create ConfigMaps over HTTPS. */
export async function profileWrites(): Promise<string[][]> {
  const dir = mkdtempSync(join(tmpdir(), 'kube-endpoints-profile-'));
  const window = { start: 0, end: 0 };
  try {
    await withEmbedded(
      async (access) => {
        await createConfigMaps(access, 'warm-up', writeCount / 4);
        window.start = nowMicroseconds();
        await createConfigMaps(access, namespace, writeCount);
        window.end = nowMicroseconds();
      },
      ['-C', 'kube-endpoints-source', '--cpu-prof', '--cpu-prof-dir', dir, join(import.meta.dirname, '../../../packages/cli/src/bin.ts')],
    );
    const [file = ''] = readdirSync(dir);
    return createRows(sumByPart(JSON.parse(readFileSync(join(dir, file), 'utf8')), window));
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** The clock of profiles. */
const nowMicroseconds = (): number => Number(process.hrtime.bigint() / 1000n);

async function createConfigMaps(access: Access, inNamespace: string, count: number): Promise<void> {
  const client = connect(access);
  try {
    const body = JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: inNamespace } });
    await client.send('POST', '/api/v1/namespaces', body);
    await writesPerSecond(count, (i) => client.send('POST', pathsIn(inNamespace).configMaps, configMap(i)));
  } finally {
    client.close();
  }
}

/** Adds up the microseconds of the samples within the window, except those in which the process had nothing to do. */
function sumByPart(profile: Profiler.Profile, { start, end }: { readonly start: number; readonly end: number }): Map<string, number> {
  const partById = new Map(profile.nodes.map(({ id, callFrame }) => [id, partOf(callFrame)]));
  const sums = new Map<string, number>();
  let time = profile.startTime;
  for (const [index, id] of (profile.samples ?? []).entries()) {
    const delta = profile.timeDeltas?.[index] ?? 0;
    time += delta;
    const part = partById.get(id);
    if (part !== undefined && time >= start && time <= end) sums.set(part, (sums.get(part) ?? 0) + delta);
  }
  return sums;
}

function partOf({ functionName, url }: Profiler.Profile['nodes'][number]['callFrame']): string | undefined {
  const place = `${functionName} ${url}`;
  return functionName === '(idle)' ? undefined : parts.find(([pattern]) => pattern.test(place))?.[1];
}

function createRows(sums: ReadonlyMap<string, number>): string[][] {
  const total = [...sums.values()].reduce((sum, value) => sum + value, 0);
  return parts.map(([, part]) => {
    const sum = sums.get(part) ?? 0;
    return [part, `${(sum / writeCount).toFixed(1)} µs`, `${((sum / total) * 100).toFixed(0)} %`];
  });
}
