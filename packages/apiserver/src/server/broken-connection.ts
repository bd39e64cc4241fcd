/** Whether a route asks for the connection to be cut, by failing as a client would see it: that is how a fault is shown. */
export const isBrokenConnection = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ECONNRESET';
