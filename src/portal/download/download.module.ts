import { Module } from '@nestjs/common';
import { NotificationsModule } from '../../notifications/notifications.module.js';
import { DownloadService } from './download.service.js';
import { ExportNotice } from './export-notice.js';
import { ExportsService } from './exports.service.js';
import { ExportWorker } from './export-worker.js';

/** The transaction history as a file, at once or in the background. */
@Module({
  imports: [NotificationsModule],
  providers: [DownloadService, ExportNotice, ExportsService, ExportWorker],
  exports: [DownloadService, ExportsService],
})
export class DownloadModule {}
