import { Module } from '@nestjs/common';
import { DownloadService } from './download.service.js';
import { ExportNotice, LoggedNotice } from './export-notice.js';
import { ExportsService } from './exports.service.js';
import { ExportWorker } from './export-worker.js';

/** The transaction history as a file, at once or in the background. */
@Module({
  providers: [
    DownloadService,
    ExportsService,
    ExportWorker,
    { provide: ExportNotice, useClass: LoggedNotice },
  ],
  exports: [DownloadService, ExportsService],
})
export class DownloadModule {}
