import type { ReadinessCause } from '../types/index.ts';
import type { Profile } from '../versions/index.ts';
import type { Reason } from './explanation.ts';
import { reason } from './reason.ts';

/** What keeps a pod from being ready, one step further down, in the words of the reasons. */
export const causeReason = ({ code, path, values }: ReadinessCause, profile: Profile): Reason => reason(code, path, profile, values);
