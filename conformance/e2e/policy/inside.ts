import { type Comparison, comparePackets } from './compare.ts';
import { buildNetwork, routePods } from './network.ts';
import { type PacketAnswer, startPackets } from './packets.ts';
import { listProbes } from './probes.ts';
import { generateWorlds, toEngineWorld } from './worlds.ts';

/**
 * Runs in the new namespaces: builds the network, and compares all worlds; sends a report per world to the parent process. Usage: inside.ts
 * PROGRAM WORLDS SEED [FIRST]
 */
const [path = '', worlds = '', seed = '', first = '0'] = process.argv.slice(2);

/** The comparison of a world, with the world if there are mismatches. */
export interface WorldReport extends Comparison {
  readonly world: string;
  readonly packets: PacketAnswer['packets'];
}

process.on('disconnect', () => process.exit(1));
buildNetwork();
const program = startPackets(path);
for (const world of generateWorlds(Number(seed), Number(worlds), Number(first))) {
  const probes = listProbes(world, Number(seed));
  routePods(world.pods.map(({ spec }) => spec?.nodeName ?? ''));
  const answer = await program.send(toEngineWorld(world), probes);
  const comparison = comparePackets(world, probes, answer);
  const { probes: _, ...objects } = world;
  const text = comparison.mismatches.length > 0 ? JSON.stringify(objects) : world.id;
  await new Promise((resolve) =>
    process.send?.({ ...comparison, world: text, packets: answer.packets } satisfies WorldReport, undefined, undefined, resolve),
  );
}
await program.stop();
process.exit();
