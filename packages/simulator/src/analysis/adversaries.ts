import { type ChooseDelay, createBoundChoice, createRandomChoice, type DelayRequest } from '../engine/delays.ts';

/** A choice of delays that is unfavourable to requests: each delay takes one of its bounds. */
export interface Adversary {
  readonly name: string;
  readonly summary: string;
  /** Which delays take their minimum. All others take their maximum. */
  isEarly(request: DelayRequest): boolean;
}

const isRouter = ({ actor }: DelayRequest): boolean => /^(kube-proxy|dns|coredns|ingress|load-balancer)/.test(actor);
const isRouterOf =
  (pattern: RegExp) =>
  (request: DelayRequest): boolean =>
    isRouter(request) && pattern.test(request.actor);
const isSliceController = ({ actor }: DelayRequest): boolean => actor.startsWith('endpoint');
const isStart = ({ name }: DelayRequest): boolean => ['imagePull', 'containerCreation', 'applicationStart'].includes(name);
const isOpening = ({ name, isRegistration }: DelayRequest): boolean =>
  ['applicationStart', 'firstHealthCheck'].includes(name) || isRegistration === true;

/** The adversaries, from the most to the least frequent cause of failing requests. */
export const adversaries: readonly Adversary[] = [
  {
    name: 'late routes',
    summary: 'pods and controllers are fast, and everything that routes is slow',
    isEarly: (request) => !isRouter(request),
  },
  {
    name: 'late slices',
    summary: 'pods are fast, and the controllers of endpoints and everything that routes are slow',
    isEarly: (request) => !isRouter(request) && !isSliceController(request),
  },
  {
    name: 'one late node',
    summary: 'everything is fast except for the first of the components that route',
    isEarly: (request) => !isRouterOf(/^(kube-proxy|dns)\/[^/]*1$|^(ingress|load-balancer)/)(request),
  },
  {
    name: 'late listeners',
    summary: 'everything is fast except for applications that start to listen, and new targets of load balancers',
    isEarly: (request) => !isOpening(request),
  },
  {
    name: 'late starts, late routes',
    summary: 'pods end fast, and pods that start and everything that routes are slow',
    isEarly: (request) => !isStart(request) && !isRouter(request),
  },
  { name: 'late exits', summary: 'everything is fast except for processes that exit', isEarly: ({ name }) => name !== 'applicationExit' },
  { name: 'all late', summary: 'everything is slow', isEarly: () => false },
  { name: 'all early', summary: 'everything is fast', isEarly: () => true },
];

/** One run of a search. */
export interface RunPlan {
  /** The name of an adversary, or "seed 1". */
  readonly name: string;
  choose(): ChooseDelay;
}

/** All adversaries, then random delays of the seeds 1, 2, ... */
export const planRuns = (seeds: number): readonly RunPlan[] => [
  ...adversaries.map(({ name, isEarly }): RunPlan => ({ name, choose: () => createBoundChoice(isEarly) })),
  ...Array.from({ length: seeds }, (_, i): RunPlan => ({ name: `seed ${i + 1}`, choose: () => createRandomChoice(i + 1) })),
];
