import {
  adversaries,
  type ChooseDelay,
  createBoundChoice,
  type DelayRanges,
  type DelayRequest,
  type RunPlan,
} from '@kube-endpoints/simulator/internal';

/** The ranges of the injected delays, in milliseconds: small, so that a row takes less than a minute. */
export const injectedRanges: DelayRanges = {
  request: { min: 0, max: 150 },
  watch: { min: 0, max: 300 },
  sync: { min: 0, max: 0 },
  schedule: { min: 0, max: 100 },
  imagePull: { min: 0, max: 0 },
  containerCreation: { min: 100, max: 300 },
  applicationStart: { min: 1500, max: 3500 },
  listenerClosing: { min: 0, max: 50 },
  applicationExit: { min: 500, max: 1000 },
  podStatusRead: { min: 0, max: 500 },
  preStopHook: { min: 1000, max: 1500 },
  proxySync: { min: 0, max: 1000 },
  probe: { min: 150, max: 200 },
};

/**
 * The most that the machine adds to a delay, in milliseconds: an own value for the load of rules, which starts a program. A trial in which it added more
 * is repeated, because it is outside of the ranges of the prediction.
 */
export const slackMs = 400;
export const rulesSlackMs = 1000;

/** The real controllers have delays of their own; those of all other components are injected. */
const isInjected = ({ name, actor }: DelayRequest): boolean =>
  name !== 'sync' && (!['watch', 'request'].includes(name) || /^(kubelet|kube-proxy|scheduler)/.test(actor));

/**
 * How the machine's part is chosen: `none` adds nothing, `all` adds the slack to all delays, and `late` to those only that are at their maximum.
 */
export type MachinePart = 'none' | 'all' | 'late';

export const machineParts: readonly MachinePart[] = ['none', 'late', 'all'];

/** The delays of an adversary, with the machine's part: a share of the slack. */
export function createChoice(name: string, part: MachinePart, share = 1): ChooseDelay {
  const adversary = adversaries.find((each) => each.name === name);
  if (!adversary) throw new RangeError(`there is no adversary ${name}`);
  const bound = createBoundChoice(adversary.isEarly);
  return (request, range) => {
    const isSlow = part === 'all' || (part === 'late' && !adversary.isEarly(request));
    const slack = Math.ceil((request.name === 'proxySync' ? rulesSlackMs : slackMs) * share);
    return (isInjected(request) ? bound(request, range) : 0) + (isSlow ? slack : 0);
  };
}

/** The plans of all adversaries, or of one. */
export const createPlans = (part: MachinePart, only?: string): readonly RunPlan[] =>
  adversaries
    .filter(({ name }) => only === undefined || name === only)
    .map(({ name }) => ({ name, choose: () => createChoice(name, part) }));
