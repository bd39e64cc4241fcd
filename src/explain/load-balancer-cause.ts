import type { LoadBalancerCause, Service } from '../types/index.ts';
import type { Profile } from '../versions/index.ts';
import type { Problem } from './explanation.ts';
import { problem } from './reason.ts';

/** What keeps a Service from its load balancer, or from being rid of one; empty where nothing does. */
export type LoadBalancing = (service: Service) => readonly LoadBalancerCause[];

/** Why a load balancer is pending or owed, in the words of the reasons. */
export const causeProblem = ({ code, path, values }: LoadBalancerCause, profile: Profile): Problem => problem(code, path, profile, values);
