/** Thrown inside a check that takes too many steps; whoever counts catches it. */
export class TooManySteps extends Error {
  override readonly name = 'TooManySteps';
}

/** Counts what a check does, so that its cost does not depend on what a publisher wrote. */
export class Steps {
  readonly #limit: number;
  taken = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  take(count: number): void {
    this.taken += count;
    if (this.taken > this.#limit) throw new TooManySteps();
  }
}
