import type { Reason } from '../../explain/explanation.ts';
import { reasons } from '../../explain/index.ts';
import type { Severity } from '../../explain/reasons.ts';
import { proxyReason } from '../../proxy/index.ts';
import type { ProxyReasonCode } from '../../proxy/reasons.ts';
import type { TraceNote } from '../trace.ts';

/** Converts a reason of a pod or Service into a note with its fix. */
export function createProblemNote({ code, message, path, severity }: Reason & { readonly severity?: Severity }): TraceNote {
  const { remedy } = reasons[code];
  const needsRemedy = severity !== 'info' && !remedy.startsWith('No action is needed');
  return { code, message, path, ...(needsRemedy && { remedy }) };
}

/** Converts a node's verdict on an endpoint into a note; an endpoint with traffic needs no fix. */
export function createVerdictNote(code: ProxyReasonCode): TraceNote {
  const { sentence, remedy } = proxyReason(code);
  const needsRemedy = remedy !== undefined && !remedy.startsWith('nothing');
  return { code, message: `The endpoint ${sentence}.`, ...(needsRemedy && { remedy: `${capitalize(remedy)}.` }) };
}

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
