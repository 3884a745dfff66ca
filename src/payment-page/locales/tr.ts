import type { Messages } from '../messages.js';

export const tr: Messages = {
  testBanner: 'Bu bir test sayfasıdır. Para hareketi olmaz.',
  order: 'Sipariş {id}',
  pay: '{amount} öde',
  payBy: 'Son ödeme saati: {time}',
  timeLeft: '{time} kaldı',
  fiveMinutes: 'Ödeme için 5 dakika kaldı.',
  oneMinute: 'Ödeme için 1 dakika kaldı.',
  chooseMethod: 'Nasıl ödemek istersiniz?',
  continueAtBank: 'Bankada devam et',
  cancel: 'Bu siparişi iptal et',
  cancelWarning: 'Sipariş kapatılır ve artık ödenemez.',
  cancelYes: 'Evet, siparişi iptal et',
  back: '{merchant} mağazasına dön',
  leaving: '{seconds} sn sonra {merchant} sitesine döneceksiniz.',
  stay: 'Bu sayfada kal',
  questions: 'Sorunuz mu var? {contact}',
  progress: 'İlerleme',
  steps: ['Ödeme', 'Banka onayı', 'Tamam'],
  language: 'Dil',
  states: {
    open: {
      title: 'Ödemeniz',
      happened: '',
      next: 'Bir sonraki adımda ödemeyi bankanızda onaylarsınız.',
    },
    processing: {
      title: 'Ödemeniz bekleniyor',
      happened: 'Ödemeniz başlatıldı ancak henüz onaylanmadı.',
      next: 'Lütfen bankanızda onaylayın. Onayladıysanız biraz bekleyin: bu sayfa kendiliğinden yenilenir.',
    },
    unknown: {
      title: 'Ödemenizi kontrol ediyoruz',
      happened: 'Bankadan henüz kesin bir yanıt alamadık.',
      next: 'Lütfen tekrar ödeme yapmayın. Bu sayfa kendiliğinden yenilenir; isterseniz güvenle kapatabilirsiniz.',
    },
    paid: {
      title: 'Ödendi',
      happened: 'Teşekkür ederiz! Ödemeniz ulaştı.',
      next: '{merchant} bilgilendirildi. Bu sayfayı kapatabilirsiniz.',
    },
    overpaid: {
      title: 'Ödendi, gerekenden fazlası geldi',
      happened: 'Teşekkür ederiz! {received} aldık; sipariş tutarı {amount} idi.',
      next: '{merchant} aradaki farktan haberdar. Farkı geri almak için lütfen mağazayla iletişime geçin.',
    },
    underpaid: {
      title: 'Tutarın bir kısmı eksik',
      happened: '{amount} tutarın {received} kadarı ulaştı. Teşekkür ederiz!',
      next: 'Siparişi tamamlamak için lütfen kalan {due} tutarını ödeyin.',
    },
    paid_late: {
      title: 'Paranız ulaştı',
      happened: 'Ödemeniz bize ulaştı ancak bu sipariş artık kapalı.',
      next: '{merchant} bilgilendirildi. Lütfen tekrar ödeme yapmayın ve sonraki adım için mağazayla iletişime geçin.',
    },
    declined: {
      title: 'Ödeme gerçekleşmedi',
      happened: 'Hesabınızdan para çekilmedi.',
      next: 'Tekrar deneyebilir veya başka bir hesaptan ödeyebilirsiniz.',
    },
    failed: {
      title: 'Ödeme gerçekleşmedi',
      happened: 'Hesabınızdan para çekilmedi ve bu sipariş için yeniden denenemez.',
      next: 'Lütfen {merchant} üzerinden yeni bir sipariş verin veya mağazadan yardım isteyin.',
    },
    cancelled: {
      title: 'Sipariş iptal edildi',
      happened: 'Bu sipariş iptal edildi. Hesabınızdan para çekilmedi.',
      next: 'Hâlâ satın almak istiyorsanız lütfen {merchant} üzerinden yeni bir sipariş verin.',
    },
    expired: {
      title: 'Ödeme süresi doldu',
      happened: 'Bu sipariş zamanında ödenmedi. Hesabınızdan para çekilmedi.',
      next: 'Hâlâ satın almak istiyorsanız lütfen {merchant} üzerinden yeni bir sipariş verin.',
    },
  },
  declines: {
    insufficient_funds: 'Hesaptaki bakiye bu ödeme için yeterli değil.',
    limit_exceeded: 'Ödeme, hesabın limitini aşıyor.',
    account_blocked: 'Hesap veya kart bloke edilmiş.',
    authentication_failed: 'Ödeme onaylanamadı.',
    cancelled_by_payer: 'Ödeme bankada iptal edildi.',
    timeout: 'Banka zamanında yanıt vermedi.',
    declined: 'Banka ödemeyi reddetti.',
  },
  pages: {
    not_found: {
      title: 'Sayfa bulunamadı',
      text: 'Bu adreste bir ödeme sayfası yok. Lütfen bağlantıyı kontrol edin veya mağazadan yeniden açın.',
    },
    unavailable: {
      title: 'Lütfen birazdan tekrar deneyin',
      text: 'Ödeme sayfası şu anda gösterilemiyor. Ödeme yaptıysanız lütfen tekrar ödemeyin.',
    },
    too_many_requests: {
      title: 'Bir dakika lütfen',
      text: 'Bağlantınızdan çok fazla istek geldi. Lütfen bir dakika bekleyip sayfayı yeniden yükleyin.',
    },
  },
};
