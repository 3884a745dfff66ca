/** Random numbers that a seed repeats. */
export class Dice {
  constructor(private state: number) {}

  /** A whole number from 0, below `below`. */
  below(below: number): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  }

  any<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)]!;
  }

  in(one: number): boolean {
    return this.below(one) === 0;
  }
}
