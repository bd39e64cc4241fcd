import type { Reason } from '../../explain/explanation.ts';
import { reasons } from '../../explain/index.ts';
import type { Severity } from '../../explain/reasons.ts';
import { proxyReason } from '../../proxy/index.ts';
import type { ProxyReasonCode } from '../../proxy/reasons.ts';
import type { TraceNote } from '../trace.ts';

/** A reason of a pod or a Service as a note, with what mends it. */
export function problemNote({ code, message, path, severity }: Reason & { readonly severity?: Severity }): TraceNote {
  const { remedy } = reasons[code];
  const isAmiss = severity !== 'info' && !remedy.startsWith('Nothing to mend');
  return { code, message, path, ...(isAmiss && { mend: remedy }) };
}

/** A verdict of a node on an endpoint as a note; nothing is to be mended of one that gets traffic. */
export function verdictNote(code: ProxyReasonCode): TraceNote {
  const { sentence, mend } = proxyReason(code);
  const isOfUse = mend !== undefined && !mend.startsWith('nothing');
  return { code, message: `The endpoint ${sentence}.`, ...(isOfUse && { mend: `${capital(mend)}.` }) };
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
