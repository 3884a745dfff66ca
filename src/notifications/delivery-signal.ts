import { EventEmitter } from 'node:events';
import { Injectable } from '@nestjs/common';

/** In-process signal that a delivery may be due, for low latency. Only a hint: the workers also poll. */
@Injectable()
export class DeliverySignal {
  private readonly emitter = new EventEmitter();

  wake(): void {
    this.emitter.emit('wake');
  }

  onWake(listener: () => void): void {
    this.emitter.on('wake', listener);
  }
}
