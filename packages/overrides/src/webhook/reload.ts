import { watch } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { messageOf, safeObserver } from 'kube-endpoints/internal/apimachinery';
import type { Clock, ScheduledCall, SteadyClock } from 'kube-endpoints/port';
import type { Overrides } from '../overrides.ts';
import type { ServingCertificate, WebhookObserver } from './options.ts';
import { RuleFilesError, readRuleFiles } from './rule-files.ts';
import type { WebhookServer } from './server.ts';

/** The files that are reloaded when they change. */
export interface WebhookFiles {
  /** Paths of rule files, in the order of their rules. */
  readonly rules: readonly string[];
  readonly cert: string;
  readonly key: string;
}

/** The contents of the files. */
export interface LoadedWebhookFiles {
  readonly overrides: Overrides;
  readonly tls: ServingCertificate;
  readonly texts: { readonly rules: readonly string[]; readonly tls: readonly string[] };
}

/** @throws RuleFilesError if rules are invalid, or the error of Node.js if a file cannot be read */
export async function loadWebhookFiles(files: WebhookFiles): Promise<LoadedWebhookFiles> {
  const rules = await readTexts(files.rules);
  const tls = await readTexts([files.cert, files.key]);
  return { overrides: compileRuleTexts(files, rules), tls: toServingCertificate(tls), texts: { rules, tls } };
}

export interface ReloadOptions {
  readonly files: WebhookFiles;
  readonly loaded: LoadedWebhookFiles;
  readonly server: Pick<WebhookServer, 'setOverrides' | 'setCertificate' | 'overrides' | 'metrics'>;
  readonly clock: SteadyClock;
  /** Milliseconds between checks of the files; default: 10 seconds. File system events trigger a check sooner. */
  readonly interval?: number;
  readonly onEvent?: WebhookObserver;
  /** Called when new rules have come into force. */
  readonly onRules?: (before: Overrides, after: Overrides) => void;
}

export interface FileReloader {
  /** Checks all files now. Resolves when new contents are in force, or reported as invalid. */
  check(): Promise<void>;
  close(): void;
}

/** Keeps a server's rules and certificate in sync with the files. Reports invalid contents and keeps the previous rules or certificate. */
export function followWebhookFiles(options: ReloadOptions): FileReloader {
  const { files, loaded, server, clock, interval = 10_000 } = options;
  const onEvent = safeObserver(options.onEvent);
  const createErrorReporter =
    (what: 'rules' | 'certificate') =>
    (error: unknown): void => {
      server.metrics.reloadFailed(what);
      const problems = error instanceof RuleFilesError ? error.problems : [messageOf(error)];
      onEvent({ kind: 'reloadFailed', what, problems });
    };
  const follow = (what: 'rules' | 'certificate', paths: readonly string[], texts: readonly string[], apply: ApplyTexts): FileFollower => {
    const onError = createErrorReporter(what);
    const onTexts = (newTexts: readonly string[]): void => {
      try {
        apply(newTexts);
      } catch (error) {
        onError(error);
      }
    };
    return followFiles({ paths, clock, interval, onTexts, onError }, texts);
  };
  const rulesFollower = follow('rules', files.rules, loaded.texts.rules, (texts) => {
    const previousOverrides = server.overrides;
    server.setOverrides(compileRuleTexts(files, texts));
    options.onRules?.(previousOverrides, server.overrides);
  });
  const tlsFollower = follow('certificate', [files.cert, files.key], loaded.texts.tls, (texts) =>
    server.setCertificate(toServingCertificate(texts)),
  );
  return {
    check: () => Promise.all([rulesFollower.check(), tlsFollower.check()]).then(() => undefined),
    close() {
      rulesFollower.close();
      tlsFollower.close();
    },
  };
}

type ApplyTexts = (texts: readonly string[]) => void;

const compileRuleTexts = (files: Pick<WebhookFiles, 'rules'>, texts: readonly string[]): Overrides =>
  readRuleFiles(files.rules.map((name, i) => ({ name, text: texts[i] as string })));

const toServingCertificate = ([cert = '', key = '']: readonly string[]): ServingCertificate => ({ cert, key });

export interface FollowOptions {
  readonly paths: readonly string[];
  readonly clock: Clock;
  /** Milliseconds between checks, independent of file system events. */
  readonly interval: number;
  /** Called with the texts of all files, in order, when a file has changed. */
  readonly onTexts: (texts: readonly string[]) => void;
  /** Called once per failure, until the files are readable or fail differently. */
  readonly onError: (error: unknown) => void;
}

/** Reports changes of files, including changes through symbolic links as in a mounted ConfigMap or Secret. */
export interface FileFollower {
  /** Checks now. Resolves when changes have been reported. */
  check(): Promise<void>;
  close(): void;
}

/** Follows changes of files until it is closed. @param texts the contents read at the start */
export function followFiles(options: FollowOptions, texts: readonly string[]): FileFollower {
  const { paths, clock, interval, onTexts, onError } = options;
  const state = { lastSeen: JSON.stringify(texts), closed: false, due: Number.POSITIVE_INFINITY };
  let nextCheck: ScheduledCall | undefined;
  let lastCheck: Promise<void> = Promise.resolve();
  const readAndReport = async (): Promise<void> => {
    if (state.closed) return;
    try {
      const newTexts = await readTexts(paths);
      reportChange(JSON.stringify(newTexts), () => onTexts(newTexts));
    } catch (error) {
      reportChange(`error: ${messageOf(error)}`, () => onError(error));
    }
  };
  const reportChange = (contents: string, onEvent: () => void): void => {
    if (state.closed || contents === state.lastSeen) return;
    state.lastSeen = contents;
    onEvent();
  };
  const check = (): Promise<void> => {
    lastCheck = lastCheck.then(readAndReport);
    return lastCheck;
  };
  const schedule = (milliseconds: number): void => {
    const due = clock.now() + milliseconds;
    // Does not postpone a planned check, so that constant changes cannot delay it forever.
    if (state.closed || due >= state.due) return;
    nextCheck?.cancel();
    state.due = due;
    nextCheck = clock.schedule(() => void checkPeriodically(), milliseconds);
  };
  const checkPeriodically = async (): Promise<void> => {
    state.due = Number.POSITIVE_INFINITY;
    await check();
    schedule(interval);
  };
  const watchers = watchFolders(paths, () => schedule(settleMs));
  schedule(interval);
  return {
    check,
    close() {
      state.closed = true;
      nextCheck?.cancel();
      for (const watcher of watchers) watcher.close();
    },
  };
}

/** Reads the files in order, so that the error always names the first unreadable file. @throws Error that names the file */
export const readTexts = (paths: readonly string[]): Promise<readonly string[]> => Array.fromAsync(paths, (path) => readFile(path, 'utf8'));

/** Milliseconds from the first change event to the check, since several files may be written one after the other. */
const settleMs = 100;

interface Closable {
  close(): void;
}

/**
 * Watches folders, because a replaced symbolic link is a change of its folder. If a folder cannot be watched, only the periodic checks
 * remain.
 */
function watchFolders(paths: readonly string[], onChange: () => void): readonly Closable[] {
  return [...new Set(paths.map((path) => dirname(path)))].flatMap((folder) => {
    try {
      const watcher = watch(folder, { persistent: false }, onChange);
      watcher.on('error', () => watcher.close());
      return [watcher];
    } catch {
      return [];
    }
  });
}
