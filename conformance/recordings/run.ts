/**
 * Records simulated clusters with faults as audit logs, watch streams and dumps, and checks that their histories are what happened, and name the
 * fault: `npm run recordings -- --seeds 200 --seed 1`. Exits with 1 if a seed fails.
 */
import { parseArgs } from 'node:util';
import { checkSeed } from './check.ts';
import { faults } from './faults.ts';

const { values } = parseArgs({ options: { seeds: { type: 'string', default: '200' }, seed: { type: 'string', default: '1' } } });
const [count, first] = [Number(values.seeds), Number(values.seed)];

let failed = 0;
for (let seed = first; seed < first + count; seed += 1) {
  const problems = await checkSeed(seed);
  if (problems.length > 0) failed += 1;
  for (const problem of problems.slice(0, 3)) console.log(problem.slice(0, 2000));
}
console.log(`${faults.length} faults in ${count} clusters, each recorded as an audit log, as two kinds of watch streams, and as dumps`);
console.log(`${count - failed} passed, ${failed} failed`);
if (failed > 0) process.exitCode = 1;
