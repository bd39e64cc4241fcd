import { OwnershipLost } from '../controllers/failures.ts';

/** The controller is about to end, and this was not done in time. */
export class Ending extends Error {
  constructor() {
    super('the controller ends');
    this.name = 'Ending';
  }
}

/** Whether an error says that the work is not this replica's any more: nothing is to be told of it, and nobody tries it again here. */
export const isEnd = (error: unknown): error is OwnershipLost | Ending => error instanceof OwnershipLost || error instanceof Ending;
