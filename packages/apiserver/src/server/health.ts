import { escapeText } from 'kube-endpoints/internal';
import type { HttpAnswer, HttpRequest } from '../http/exchange.ts';
import { plainText, textError } from './answers.ts';

export interface HealthCheck {
  /** As in paths and in the verbose list. */
  readonly name: string;
  /** Throws where something is wrong. */
  readonly check: () => void | Promise<void>;
}

/** One of the paths under which a server's health is asked for: "healthz", "livez" or "readyz". */
export interface Health {
  readonly name: string;
  readonly checks: readonly HealthCheck[];
}

/** Mirrors the handlers of apiserver/pkg/server/healthz (1.36). */
export async function answerHealth({ name, checks }: Health, { query }: HttpRequest): Promise<HttpAnswer> {
  const excluded = new Set(query.getAll('exclude'));
  const lines: string[] = [];
  let healthy = true;
  for (const check of checks) {
    if (excluded.delete(check.name)) {
      lines.push(`[+]${check.name} excluded: ok`);
      continue;
    }
    const passed = (await problemOf(check)) === undefined;
    healthy &&= passed;
    lines.push(passed ? `[+]${check.name} ok` : `[-]${check.name} failed: reason withheld`);
  }
  if (excluded.size > 0) {
    const unknown = [...excluded].sort().map((text) => `"${escapeText(text)}"`);
    lines.push(`warn: some health checks cannot be excluded: no matches for ${unknown.join(',')}`);
  }
  if (!healthy) return textError(500, [...lines, `${name} check failed`].join('\n'));
  const text = query.has('verbose') ? `${[...lines, `${name} check passed`].join('\n')}\n` : 'ok';
  return { code: 200, headers: { ...plainText, 'X-Content-Type-Options': 'nosniff' }, body: text };
}

/** A single one of the checks, which has a path of its own. */
export async function answerCheck(check: HealthCheck): Promise<HttpAnswer> {
  const problem = await problemOf(check);
  if (problem !== undefined) return textError(500, `internal server error: ${problem}`);
  return { code: 200, headers: plainText, body: 'ok' };
}

async function problemOf({ check }: HealthCheck): Promise<string | undefined> {
  try {
    await check();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
