import { EventEmitter } from 'node:events';
import { Injectable } from '@nestjs/common';

/** In-process signal that an order changed, so that open payment pages update at once. Only a hint: pages also poll. */
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
