import { createRandom } from '../../examples/random.ts';
import { clusterMutations } from './cluster-mutations.ts';
import { diagnoseWorld } from './diagnose.ts';
import { appliesTo, keyOf, type Mutation, type Mutations } from './mutation.ts';
import type { Application, World } from './objects.ts';
import { podMutations } from './pod-mutations.ts';
import { serviceMutations } from './service-mutations.ts';
import { createWorld } from './world.ts';
import { writtenMutations } from './written-mutations.ts';

export const mutations: Mutations = { ...serviceMutations, ...podMutations, ...clusterMutations, ...writtenMutations };

export interface Planted {
  readonly seed: number;
  readonly kind: string;
  /** "namespace/name" of the Service that the mistake breaks. */
  readonly service: string;
  readonly planted: string;
  /** The codes of all causes that were found, the first one first. */
  readonly found: readonly string[];
}

const versions = ['1.29', '1.32', '1.35', '1.37'] as const;

/** Plants a mistake of one kind in a healthy world, and diagnoses it. Tries other worlds until one has a Service for it. */
export function plant(kind: string, seed: number): Planted {
  const mutation = mutations[kind] as Mutation;
  for (let attempt = 0; ; attempt++) {
    const random = createRandom(seed + attempt * 1_000_003);
    const world = createWorld(seed + attempt * 1_000_003);
    const candidates = world.applications.filter((application) => appliesTo(mutation, application, world));
    const application = candidates[random.below(candidates.length)];
    if (!application) continue;
    mutation.apply(application, world, random);
    return {
      seed,
      kind,
      service: keyOf(application),
      planted: plantedCode(mutation, application),
      found: findCodes(world, application, random.pick(versions)),
    };
  }
}

const plantedCode = ({ cause }: Mutation, application: Application): string => (typeof cause === 'string' ? cause : cause(application));

function findCodes(world: World, application: Application, version: string): string[] {
  const diagnosed = diagnoseWorld(world, version).find(
    ({ explanation }) => `${explanation.namespace}/${explanation.name}` === keyOf(application),
  );
  return diagnosed ? diagnosed.causes.map(({ code }) => code) : ['no such Service'];
}

/** The findings in a healthy world: there should be none. */
export const findFalseAlarms = (seed: number): string[] =>
  diagnoseWorld(createWorld(seed), versions[seed % versions.length] ?? '1.37').flatMap(({ explanation, causes }) =>
    causes.map(({ code, message }) => `seed ${seed}, ${explanation.namespace}/${explanation.name}: ${code}: ${message}`),
  );
