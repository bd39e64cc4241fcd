/** What a queue tells, for metrics and logs. `length`: how many keys are to be taken, with those that come again. */
export type QueueHappening<Name extends string = string> =
  | {
      readonly kind: 'queued';
      readonly queue: Name;
      readonly key: string;
      readonly length: number;
      /** Whether the key comes after a failure. */
      readonly retry: boolean;
    }
  | {
      readonly kind: 'taken';
      readonly queue: Name;
      readonly key: string;
      readonly length: number;
      /** Milliseconds since it was queued. */
      readonly waited: number;
    };
