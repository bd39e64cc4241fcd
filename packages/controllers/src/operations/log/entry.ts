import { messageOf, withoutSecrets } from 'kube-endpoints/internal';
import { ApiError } from 'kube-endpoints/port';

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error';

/** A line of a log before it is written. */
export interface LogEntry {
  readonly level: LogLevel;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Of a Service. */
export function partsOf(key: string): { readonly namespace: string; readonly name: string } {
  const slash = key.indexOf('/');
  return { namespace: slash < 0 ? '' : key.slice(0, slash), name: key.slice(slash + 1) };
}

/** As metrics have them, to the microsecond. */
export const seconds = (milliseconds: number): number => Math.round(milliseconds * 1000) / 1e6;

/** The words of an error and what it is by its codes, never what it carries. */
export function errorFields(error: unknown): { readonly error?: string; readonly reason?: string; readonly code?: number | string } {
  if (error === undefined) return {};
  const text = withoutSecrets(messageOf(error));
  if (error instanceof ApiError) return { error: text, reason: error.reason, code: error.code };
  if (!(error instanceof Error)) return { error: text };
  const { code } = error as { code?: unknown };
  return { error: text, ...(typeof code === 'string' && { code }) };
}
