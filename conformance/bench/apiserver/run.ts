/**
 * Times the embedded API server beside a real kube-apiserver with etcd: the same client, the same objects, over TLS on loopback.
 * Run: npm run bench:apiserver [-- --small]
 */
import { DEFAULT_RELEASE, whyNoCluster, withCluster } from '../../e2e/cluster.ts';
import { table } from '../measure.ts';
import { isSmall, sized, skipNote } from '../size.ts';
import { type Access, connect } from './client.ts';
import { inProcess } from './in-process.ts';
import { prepare, scenarios } from './scenarios.ts';
import { withEmbedded } from './servers.ts';
import { startUp } from './start-up.ts';

type Figures = ReadonlyMap<string, number>;

async function figuresOf(access: Access): Promise<Figures> {
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

/** The better of two runs, each on a new server, alternating between the two servers. */
async function figuresOfBoth(turns: number): Promise<{ readonly ours: Figures; readonly theirs?: Figures }> {
  const why = isSmall ? 'small' : whyNoCluster(DEFAULT_RELEASE);
  if (why && !isSmall) process.stdout.write(`kube-apiserver skipped: ${why}\n`);
  const ours: Figures[] = [];
  const theirs: Figures[] = [];
  for (let turn = 0; turn < turns; turn++) {
    ours.push(await withEmbedded(figuresOf));
    if (!why) {
      theirs.push(
        await withCluster(DEFAULT_RELEASE, ({ access: { port, ...rest } }) => figuresOf({ url: `https://127.0.0.1:${port}`, ...rest })),
      );
    }
  }
  return { ours: bestOf(ours), ...(theirs.length > 0 && { theirs: bestOf(theirs) }) };
}

const bestOf = (all: readonly Figures[]): Figures =>
  new Map(
    scenarios.map(({ id, unit }) => {
      const values = all.map((figures) => figures.get(id) as number);
      return [id, unit === 'ms' ? Math.min(...values) : Math.max(...values)];
    }),
  );

const shown = (value: number, unit: string): string =>
  `${value >= 20 ? Math.round(value).toLocaleString('en-US') : value.toFixed(1)} ${unit}`;

function rowsOf({ ours, theirs }: Awaited<ReturnType<typeof figuresOfBoth>>): string[][] {
  return scenarios.map(({ id, unit, goal }) => {
    const [own, their] = [ours.get(id) as number, theirs?.get(id)];
    const ratio = their === undefined ? undefined : unit === 'ms' ? their / own : own / their;
    return [
      id,
      their === undefined ? '-' : shown(their, unit),
      shown(own, unit),
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
process.stdout.write(`${table(headings, rowsOf(await figuresOfBoth(sized(2, 1))))}\n\n`);
process.stdout.write(`${table(['in process', 'writes/s', 'goal'], await inProcess())}\n\n`);
process.stdout.write(`${table(['start-up', 'time', 'goal'], await startUp())}\n`);
