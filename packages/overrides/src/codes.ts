/** What rules decide: the text for each, with what stands in braces filled in. */
export const decisionMessages = {
  KeptIn: '{address} stays ready, as it is stored',
  KeptOut: '{address} is shown as not ready',
  TakenOut: '{address} is left out',
  MovedToReady: '{address} is shown as ready',
  MovedToNotReady: '{address} is shown as not ready',
  KeptReady: '{address} is ready again: {wanted} of {total} have to be',
  TooFewToKeepReady: '{wanted} of {total} have to be ready, and {found} can be',
  HeldUnready: '{address} is ready since {since} and shown so from {until} on',
  HeldReady: '{address} is not ready since {since} and shown so from {until} on',
  HoldFull: '{address} is not held: {limit} addresses of the object are',
  Frozen: 'what is written is put back to what is stored',
  NothingToFreeze: 'nothing is stored that could stay as it is',
  Refused: '{address} may not be an endpoint: {because}',
  Dropped: '{address} is dropped: {because}',
  ExpressionFailed: 'its expression failed, and so does not match: {because}',
  Unsettled: 'nothing is changed: rules would undo what they did when asked about it again',
} as const;

/** Why a rule did something, or could not. */
export type DecisionCode = keyof typeof decisionMessages;
