import type { Address } from './resolve.ts';

/** A review on its way. */
export interface WebhookCall {
  /** The host and port that are meant, as in the URL. */
  readonly host: string;
  /** With the query. */
  readonly path: string;
  readonly body: string;
  /** Finds out where the server is. What it throws is why it cannot be reached. */
  locate(): Address | Promise<Address>;
  /** Whom the server's certificate has to name. */
  readonly serverName: string;
  /** PEM; absent: whom the machine believes. */
  readonly authorities?: string;
  /** Ends the call; the reason is an Error. */
  readonly signal: AbortSignal;
}

export interface WebhookAnswer {
  readonly code: number;
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
}

/** Asks webhooks over HTTPS. It does not follow redirects. */
export interface WebhookClient {
  /** @throws CallBroken */
  post(call: WebhookCall): Promise<WebhookAnswer>;
  /** Ends the connections that are open. */
  close(): void;
}

/** A call that came to no answer. */
export class CallBroken extends Error {
  /** Where the call ended: before a connection could be tried, before there was an answer, or in the middle of it. */
  readonly where: 'setup' | 'call' | 'answer';

  constructor(where: CallBroken['where'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CallBroken';
    this.where = where;
  }
}
