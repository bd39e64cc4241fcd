/**
 * Compares the embedded API server with a real kube-apiserver with etcd: the same client, the same objects, over TLS on loopback.
 * Run: npm run bench:apiserver [-- --small]
 */
import { DEFAULT_RELEASE, reasonForNoCluster, withCluster } from '../../e2e/cluster.ts';
import { table } from '../measure.ts';
import { chooseBySize, isSmall, skipNote } from '../size.ts';
import { type Access, connect } from './client.ts';
import { benchInProcess } from './in-process.ts';
import { profileWrites } from './profile.ts';
import { prepare, scenarios } from './scenarios.ts';
import { withEmbedded } from './servers.ts';
import { benchStartUp } from './start-up.ts';

type Figures = ReadonlyMap<string, number>;

async function measureServer(access: Access): Promise<Figures> {
  const client = connect(access);
  const figures = new Map<string, number>();
  try {
    await prepare(client);
    for (const { id, run } of scenarios) figures.set(id, await run(client));
  } finally {
    client.close();
  }
  return figures;
}

/** Measures both servers in turn, each round on a new server, and returns the best of all rounds. */
async function measureBoth(rounds: number): Promise<{ readonly ours: Figures; readonly theirs?: Figures }> {
  const skipReason = isSmall ? 'small' : reasonForNoCluster(DEFAULT_RELEASE);
  if (skipReason && !isSmall) process.stdout.write(`kube-apiserver skipped: ${skipReason}\n`);
  const ours: Figures[] = [];
  const theirs: Figures[] = [];
  for (let round = 0; round < rounds; round++) {
    ours.push(await withEmbedded(measureServer));
    if (!skipReason) {
      theirs.push(
        await withCluster(DEFAULT_RELEASE, ({ access: { port, ...rest } }) => measureServer({ url: `https://127.0.0.1:${port}`, ...rest })),
      );
    }
  }
  return { ours: bestOf(ours), ...(theirs.length > 0 && { theirs: bestOf(theirs) }) };
}

const bestOf = (runs: readonly Figures[]): Figures =>
  new Map(
    scenarios.map(({ id, unit }) => {
      const values = runs.map((figures) => figures.get(id) as number);
      return [id, unit === 'ms' ? Math.min(...values) : Math.max(...values)];
    }),
  );

const formatValue = (value: number, unit: string): string =>
  `${value >= 20 ? Math.round(value).toLocaleString('en-US') : value.toFixed(1)} ${unit}`;

function createRows({ ours, theirs }: Awaited<ReturnType<typeof measureBoth>>): string[][] {
  return scenarios.map(({ id, unit, goal }) => {
    const [ourValue, theirValue] = [ours.get(id) as number, theirs?.get(id)];
    const ratio = theirValue === undefined ? undefined : unit === 'ms' ? theirValue / ourValue : ourValue / theirValue;
    return [
      id,
      theirValue === undefined ? '-' : formatValue(theirValue, unit),
      formatValue(ourValue, unit),
      ratio === undefined ? '-' : `${ratio.toFixed(1)} x`,
      `${goal} x`,
    ];
  });
}

process.stdout.write(`Node ${process.version}; the better of two rounds each\n${skipNote('kube-apiserver')}\n`);
const headings = [
  'over HTTPS, 16 concurrent unless stated',
  `kube-apiserver ${DEFAULT_RELEASE}, etcd`,
  'kubectl-endpoints apiserver',
  'better',
  'goal',
];
process.stdout.write(`${table(headings, createRows(await measureBoth(chooseBySize(2, 1))))}\n\n`);
process.stdout.write(`${table(['in process', 'writes/s', 'goal'], await benchInProcess())}\n\n`);
process.stdout.write(`${table(['start-up', 'time', 'goal'], await benchStartUp())}\n\n`);
process.stdout.write(
  `${table(['creates of ConfigMaps over HTTPS, 16 concurrent: processor time', 'per write', 'share'], await profileWrites())}\n`,
);
