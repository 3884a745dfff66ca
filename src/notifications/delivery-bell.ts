import { EventEmitter } from 'node:events';
import { Injectable } from '@nestjs/common';

/**
 * A hint, inside this process, that there may be something to deliver, so that it leaves at once.
 * Nothing depends on it: the workers also look for themselves.
 */
@Injectable()
export class DeliveryBell {
  private readonly emitter = new EventEmitter();

  ring(): void {
    this.emitter.emit('ring');
  }

  onRing(listener: () => void): void {
    this.emitter.on('ring', listener);
  }
}
