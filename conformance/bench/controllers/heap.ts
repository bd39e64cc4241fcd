/** Prints how many bytes the controllers retain for a settled cluster. Run with --expose-gc and the cluster's size. */
import { createSizedCluster, runUntilIdle } from './run-until-idle.ts';

const [services = 0, podsPerService = 0] = process.argv.slice(2).map(Number);

function readHeapUsed(): number {
  const collect = globalThis.gc;
  if (!collect) throw new Error('start Node.js with --expose-gc');
  for (let n = 0; n < 4; n++) collect();
  return process.memoryUsage().heapUsed;
}

// Warm-up: one-time allocations such as compiled code are not counted for the second cluster.
const warmUpRun = await runUntilIdle(createSizedCluster({ services: 20, podsPerService: 15 }));
await warmUpRun.stop();
const heapBefore = readHeapUsed();
const { stop } = await runUntilIdle(createSizedCluster({ services, podsPerService }));
process.stdout.write(String(readHeapUsed() - heapBefore));
await stop();
