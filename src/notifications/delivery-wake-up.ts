import { EventEmitter } from 'node:events';
import { Injectable } from '@nestjs/common';

/**
 * A hint, inside this process, that there may be something to deliver, so that it leaves at once.
 * Nothing depends on it: the workers also look for themselves.
 */
@Injectable()
export class DeliveryWakeUp {
  private readonly emitter = new EventEmitter();

  wake(): void {
    this.emitter.emit('wake');
  }

  onWake(listener: () => void): void {
    this.emitter.on('wake', listener);
  }
}
