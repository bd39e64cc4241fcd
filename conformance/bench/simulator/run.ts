/**
 * Measures how long `checkRollout` takes for clusters of several sizes: a rollout that drops requests, with the search of its fix.
 * Run: node conformance/bench/simulator/run.ts [--small]
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { table } from '../measure.ts';
import { chooseBySize } from '../size.ts';
import type { Measurement } from './measure-rollout.ts';
import type { Size } from './objects.ts';

interface Row extends Size {
  /** In seconds. */
  readonly limit: number;
}

const rows: readonly Row[] = chooseBySize(
  [
    { pods: 4, nodes: 3, deployments: 1, limit: 5 },
    { pods: 200, nodes: 50, deployments: 1, limit: 5 },
    { pods: 5000, nodes: 500, deployments: 50, limit: 60 },
    { pods: 5000, nodes: 500, deployments: 1, limit: 60 },
  ],
  [{ pods: 4, nodes: 3, deployments: 1, limit: 5 }],
);

/** The limit of memory of 1 GB. */
const maxBytes = 1e9;

const cells: string[][] = [];
for (const row of rows) {
  // A process each, because memory is that of a process.
  const child = fork(new URL('measure-rollout.ts', import.meta.url), [JSON.stringify(row)]);
  const [measurement] = (await once(child, 'message')) as [Measurement];
  cells.push(format(row, measurement));
}
const headings = ['rollout of a Deployment', 'verdict', 'runs', 'pods in a run', 'fix', 'time', 'memory', 'within limits'];
process.stdout.write(`Node ${process.version}; one round, in a new process each\n\n${table(headings, cells)}\n`);

function format({ pods, nodes, deployments, limit }: Row, { verdict, runs, simulatedPods, fix, seconds, bytes }: Measurement): string[] {
  const name = `${pods.toLocaleString('en-US')} pods on ${nodes} nodes${deployments > 1 ? `, in ${deployments} Deployments` : ''}`;
  return [
    name,
    verdict,
    String(runs),
    String(simulatedPods),
    fix ?? 'none',
    `${seconds.toFixed(1)} s`,
    `${Math.round(bytes / 1e6)} MB`,
    seconds <= limit && bytes <= maxBytes ? 'yes' : 'no',
  ];
}
