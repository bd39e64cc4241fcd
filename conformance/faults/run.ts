/**
 * Plants mistakes in healthy clusters, and checks that the first cause that is found is the planted one, and that healthy clusters have no
 * finding: `npm run faults -- --count 2000 --seed 1`. Exits with 1 if less than 99 % are found, or if there is a false alarm.
 */
import { parseArgs } from 'node:util';
import { findFalseAlarms, mutations, type Planted, plant } from './plant.ts';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '1' },
    healthy: { type: 'string', default: '500' },
    kind: { type: 'string' },
  },
});
const [count, firstSeed, healthyCount] = [values.count, values.seed, values.healthy].map(Number) as [number, number, number];
const kinds = values.kind === undefined ? Object.keys(mutations) : [values.kind];
const minHitRate = 0.99;

const results = Array.from({ length: count }, (_, index) => plant(kinds[index % kinds.length] as string, firstSeed + index));
const isFound = ({ planted, found }: Planted): boolean => found[0] === planted;
const misses = results.filter((each) => !isFound(each));

console.log(`${'kind'.padEnd(26)}planted   found  missed`);
for (const [kind, group] of Map.groupBy(results, (each) => each.kind)) {
  const found = group.filter(isFound).length;
  console.log(`${kind.padEnd(26)}${[group.length, found, group.length - found].map((number) => String(number).padStart(7)).join(' ')}`);
}
for (const { seed, kind, service, planted, found } of misses)
  console.log(`missed: seed ${seed}, ${kind} in ${service}: planted ${planted}, found ${found.join(', ') || 'nothing'}`);

const falseAlarms = Array.from({ length: healthyCount }, (_, index) => findFalseAlarms(firstSeed + index));
for (const text of falseAlarms.flat()) console.log(`false alarm: ${text}`);
const alarmedCount = falseAlarms.filter((texts) => texts.length > 0).length;
console.log(
  `${kinds.length} kinds, hit rate ${((100 * (count - misses.length)) / count).toFixed(2)} %, false alarms in ${alarmedCount} of ${healthyCount} healthy clusters`,
);
const failedCount = (misses.length > count * (1 - minHitRate) ? misses.length : 0) + alarmedCount;
console.log(`${count + healthyCount - failedCount} passed, ${failedCount} failed`);
if (failedCount > 0) process.exitCode = 1;
