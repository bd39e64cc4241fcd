import { messageOf, redactSecrets } from 'kube-endpoints/internal/apimachinery';
import { ApiError } from 'kube-endpoints/port';

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error';

/** A log line before it is formatted. */
export interface LogEntry {
  readonly level: LogLevel;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Converts to seconds, as used in metrics, rounded to a microsecond. */
export const toSeconds = (milliseconds: number): number => Math.round(milliseconds * 1000) / 1e6;

/** Returns the message, reason and code of an error, without secrets. Other properties of the error are never logged. */
export function toErrorFields(error: unknown): { readonly error?: string; readonly reason?: string; readonly code?: number | string } {
  if (error === undefined) return {};
  const text = redactSecrets(messageOf(error));
  if (error instanceof ApiError) return { error: text, reason: error.reason, code: error.code };
  if (!(error instanceof Error)) return { error: text };
  const { code } = error as { code?: unknown };
  return { error: text, ...(typeof code === 'string' && { code }) };
}
