import type { MailMessages } from '../messages.js';

export const pt: MailMessages = {
  testMode: 'Modo de teste: nenhum dinheiro foi movimentado.',
  paid: {
    title: 'Pagamento recebido',
    text: 'Uma encomenda de {merchant} foi paga.',
    subject: '{amount} recebidos pela encomenda {order}',
    order: 'Encomenda',
    txid: 'Transação',
    amount: 'Montante',
    received: 'Recebido',
    method: 'Pago com',
    payer: 'Pagador',
    account: 'Conta',
    time: 'Pago em',
    description: 'Descrição',
    fields: 'Da sua loja',
    exceptions: {
      underpaid: 'Chegou menos dinheiro do que o valor da encomenda.',
      overpaid: 'Chegou mais dinheiro do que o valor da encomenda. Devolva a diferença ao pagador.',
      paid_late: 'O dinheiro chegou depois de a encomenda ter sido fechada. Verifique a encomenda.',
      duplicate_payment:
        'A encomenda foi paga mais do que uma vez. Devolva o excedente ao pagador.',
      wrong_currency: 'O dinheiro chegou noutra moeda. Verifique a encomenda.',
      charged_back: 'O banco do pagador retirou o dinheiro. Verifique a encomenda.',
    },
  },
  confirm: {
    title: 'Quer receber estes e-mails?',
    text: '{merchant} gostaria de informar {email} sobre cada encomenda paga.',
    subject: 'Confirme, por favor: e-mails sobre encomendas de {merchant}',
    otherwise:
      'Se não estava à espera disto, não precisa de fazer nada: não será enviado mais nenhum e-mail.',
    button: 'Ver e confirmar',
    why: 'Este e-mail foi enviado porque {merchant} indicou o endereço {email}.',
  },
  sample: {
    title: 'Os seus e-mails chegam',
    text: 'Os e-mails sobre encomendas pagas de {merchant} vão chegar-lhe como este.',
    subject: 'E-mail de teste de {merchant}',
  },
  endpoint: {
    address: 'Endereço do webhook',
    since: 'A falhar desde',
    failing: {
      hour: 'Os webhooks falham há uma hora',
      day: 'Os webhooks falham há um dia',
      text: 'Um webhook de {merchant} não aceita nenhum evento.',
      next: 'Continuamos a tentar. Após cinco dias sem sucesso, o webhook é desativado.',
    },
    disabled: {
      title: 'Um webhook foi desativado',
      text: 'Este webhook de {merchant} não aceita eventos há dias, por isso já nada lhe é enviado.',
      gone: 'Este webhook de {merchant} respondeu que já não existe, por isso já nada lhe é enviado.',
      next: 'Nenhum evento se perde: quando o webhook funcionar, ative-o e mande reenviar os eventos em falta.',
    },
  },
  why: 'Recebe este e-mail porque {email} está confirmado para e-mails sobre encomendas de {merchant}.',
  unsubscribe: 'Cancelar subscrição',
  pages: {
    unconfirmed: {
      title: 'Quer receber estes e-mails?',
      text: '{merchant} gostaria de informar {email} sobre cada encomenda paga.',
      confirm: 'Sim, quero recebê-los',
      decline: 'Não, obrigado',
    },
    confirmed: {
      title: 'Os e-mails estão ativos',
      text: '{email} recebe um e-mail sobre cada encomenda paga de {merchant}.',
      unsubscribe: 'Deixar de receber e-mails',
    },
    unsubscribed: {
      title: 'Os e-mails estão desativados',
      text: '{email} já não recebe e-mails sobre encomendas de {merchant}.',
      confirm: 'Ativar novamente',
    },
    not_found: {
      title: 'Página não encontrada',
      text: 'Não há nada neste endereço. A ligação pode estar desatualizada.',
    },
    unavailable: {
      title: 'Tente novamente dentro de momentos',
      text: 'A página não pode ser apresentada neste momento.',
    },
    too_many_requests: {
      title: 'Um momento, por favor',
      text: 'Houve demasiados pedidos a partir da sua ligação. Aguarde um minuto e tente novamente.',
    },
  },
};
