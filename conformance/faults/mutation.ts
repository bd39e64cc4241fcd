import type { Random } from '../../examples/random.ts';
import type { ReasonCode } from '../../src/explain/index.ts';
import { type Application, isManaged, type PodObject, type World } from './objects.ts';

/** One mistake, whose effect is known. */
export interface Mutation {
  /** The first cause that an explanation of the Service must have. */
  readonly cause: ReasonCode | ((application: Application) => ReasonCode);
  /** Whether the mistake breaks this Service; by default, if it has a selector. */
  readonly applies?: (application: Application, world: World) => boolean;
  readonly apply: (application: Application, world: World, random: Random) => void;
}

export type Mutations = Readonly<Record<string, Mutation>>;

export const appliesTo = ({ applies = isManaged }: Mutation, application: Application, world: World): boolean =>
  applies(application, world);

export const keyOf = ({ service: { metadata } }: Application): string => `${metadata.namespace}/${metadata.name}`;

/** A non-empty random part of the pods. */
export function choosePods({ pods }: Application, random: Random): PodObject[] {
  const chosen = pods.filter(() => random.chance(0.5));
  return chosen.length > 0 ? chosen : pods.slice(0, 1);
}

/** Swaps two neighbouring letters, or appends a letter if all are equal. */
export function mistype(text: string, random: Random): string {
  const places = [...text].flatMap((letter, index) =>
    index > 0 && /[a-z]{2}/.test(`${text[index - 1]}${letter}`) && letter !== text[index - 1] ? index : [],
  );
  const place = places[random.below(places.length)];
  if (place === undefined) return `${text}x`;
  return `${text.slice(0, place - 1)}${text[place]}${text[place - 1]}${text.slice(place + 1)}`;
}

/** Removes all slices of the Service, whose content would differ from the mutated pods. */
export const removeSlices = (application: Application): void => {
  application.slices = [];
};

export function setCondition(pod: PodObject, type: string, status: string, details: object = {}): void {
  pod.status.conditions = [...pod.status.conditions.filter((condition) => condition.type !== type), { type, status, ...details }];
}

export function setNotReady(pod: PodObject): void {
  setCondition(pod, 'Ready', 'False', { reason: 'ContainersNotReady' });
  setCondition(pod, 'ContainersReady', 'False');
}

/** Mutates a random part of the pods, which are then not ready. */
export const mutatePods =
  (mutate: (pod: PodObject, random: Random) => void): Mutation['apply'] =>
  (application, _, random) => {
    removeSlices(application);
    for (const pod of choosePods(application, random)) mutate(pod, random);
  };
