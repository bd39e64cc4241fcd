import type { StepPlan } from './steps.ts';

/** An override rule with its times, as in the field `rules` of a scenario. */
export interface TimedRule {
  readonly from: string;
  /** Absent if it lasts until the end. */
  readonly to?: string;
  readonly rule: object;
}

interface TimedStep {
  /** Milliseconds since the start. */
  readonly at: number;
  readonly plan: StepPlan;
}

/** Rules that keep pods out of all endpoints from when a step takes them out of a load balancer until a step restores it. */
export const keepOutRules = (steps: readonly TimedStep[]): TimedRule[] =>
  steps.flatMap(({ at, plan: { takesOut } }, i) => {
    if (!takesOut) return [];
    const { component, name, selector = {} } = takesOut;
    const end = steps.slice(i + 1).find(({ plan }) => plan.restores === component);
    if (end?.at === at) return [];
    const labels = Object.entries(selector).map(([key, value]) => `${key}=${value}`);
    const addresses = name ? { pods: name } : { podLabels: labels.join() };
    return [
      {
        from: `${at / 1000}s`,
        ...(end && { to: `${end.at / 1000}s` }),
        rule: { name: `keep-out-${i + 1}`, addresses, action: { keepOut: {} } },
      },
    ];
  });
