import { Injectable, Logger } from '@nestjs/common';
import type { ExportRow } from '../../database/repositories/export.repository.js';

/** Tells whoever asked that the file is ready. Called again later when it throws. */
export abstract class ExportNotice {
  abstract send(row: ExportRow): Promise<void>;
}

/** Until people have mailboxes here, their page of exports is where they see it. */
@Injectable()
export class LoggedNotice extends ExportNotice {
  private readonly logger = new Logger('exports');

  async send({ id, requestedBy }: ExportRow): Promise<void> {
    this.logger.log({ export: id, user: requestedBy }, 'export ready');
  }
}
