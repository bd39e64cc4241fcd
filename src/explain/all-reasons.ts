import type { Profile } from '../versions/index.ts';
import { type DiagnosisReasonCode, diagnosisReasons } from './diagnosis-reasons.ts';
import type { Reason } from './explanation.ts';
import { createReasonOfRow, type Values } from './reason.ts';
import type { ReasonRow } from './reason-row.ts';
import { type ReasonCode, resultReasons } from './reasons.ts';

/** All reasons by code: those for results, and the causes that a diagnosis finds in other objects. */
export const reasons: Readonly<Record<ReasonCode, ReasonRow>> = { ...resultReasons, ...diagnosisReasons };

/** Creates a reason of a diagnosis, with the values filled in the message. */
export const createCauseReason = (code: DiagnosisReasonCode, path: string, profile: Profile, values: Values = {}): Reason =>
  createReasonOfRow(diagnosisReasons[code], code, path, profile, values);
