import { EventEmitter } from 'node:events';
import { Injectable } from '@nestjs/common';

/**
 * A hint, inside this process, that an order changed, so that an open payment page shows it at once.
 * Nothing depends on it: pages also look for themselves.
 */
@Injectable()
export class OrderUpdates {
  private readonly emitter = new EventEmitter().setMaxListeners(0);

  changed(pageToken: string): void {
    this.emitter.emit('changed', pageToken);
  }

  onChange(listener: (pageToken: string) => void): () => void {
    this.emitter.on('changed', listener);
    return () => this.emitter.off('changed', listener);
  }
}
