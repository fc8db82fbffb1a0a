# Stands beside a ralph and ends what its agents started if ralph is killed. Ralph says on stdin what is open:
#   open MARKER MARK PID    an agent is about to be started (PID 0), or leads this process group
#   end MARKER              nothing of it is left
# The pipe closes when ralph is gone, however it went. With nothing open that is the ordinary end.
trap '' HUP INT QUIT TERM PIPE

close() {
  kept=
  for one in $open; do
    [ "${one%%:*}" = "$1" ] || kept="$kept $one"
  done
  open=$kept
}

# First comes the process group that ralph itself is in, 0 if it is unknown; then what was open when another guardian was
# ended, MARKER:MARK:PID each.
home=$1
shift
open=$*
while read -r word marker mark pid; do
  case $word in
    open) close "$marker"; open="$open $marker:$mark:$pid" ;;
    end) close "$marker" ;;
  esac
done
[ -n "$open" ] || exit 0

groups=
for one in $open; do
  [ "${one##*:}" = 0 ] || groups="$groups ${one##*:}"
done

# One line a process: pid, parent, group, state.
table() {
  if [ ! -r /proc/self/stat ]; then
    ps -A -o pid= -o ppid= -o pgid= -o stat=
    return
  fi
  for dir in /proc/[0-9]*; do
    line=
    # A name may hold line ends and brackets.
    while read -r part; do line="$line $part"; done <"$dir/stat"
    [ -n "$line" ] || continue
    set -- ${line##*) }
    echo "${dir#/proc/} $2 $3 $1"
  done 2>/dev/null
}

# The pids that carry a marker of ours, where environments and limits can be read.
marked() {
  for one in $open; do
    mark=${one#*:}
    grep -lF -e "RALPH_RUN=${one%%:*}" -e "Max file locks            ${mark%:*} " /proc/[0-9]*/environ /proc/[0-9]*/limits
  done 2>/dev/null
}

has() {
  case " $1 " in *" $2 "*) return 0 ;; esac
  return 1
}

# Adds to `tree` what belongs to the agents; sets `living` to what of it still lives.
tree=
look() {
  carriers=
  for file in $(marked); do
    file=${file#/proc/}
    carriers="$carriers ${file%%/*}"
  done
  rows=$(table)
  grew=1
  while [ $grew = 1 ]; do
    grew=0
    living=
    while read -r pid parent group state; do
      if ! has "$tree" "$pid"; then
        if has "$carriers" "$pid"; then
          # Killed while it started an agent, ralph itself carries the mark, and so does the agent until it leads a session:
          # in the group of whoever called ralph. The next look finds the agent in its own.
          [ "$group" != "$home" ] || continue
          # An agent leads a session, so nobody else is in its groups.
          has "$groups" "$group" || groups="$groups $group"
        else
          has "$groups" "$group" || has "$tree" "$parent" || continue
        fi
        tree="$tree $pid"
        grew=1
      fi
      case $state in [ZX]*) ;; *) living="$living $pid" ;; esac
    done <<ROWS
$rows
ROWS
  done
}

# Groups first: no member can start another process between two signals.
send() {
  for group in $groups; do kill -s "$1" -- "-$group"; done
  [ -z "$living" ] || kill -s "$1" $living
} 2>/dev/null

pause() { sleep "$1" 2>/dev/null || sleep 1; }

# Several looks in any case: an agent that is just being started shows no marker yet.
for round in 1 2; do
  before=$tree
  look
  [ "$tree" = "$before" ] || send TERM
  pause 0.2
done
for round in 1 2 3 4 5 6 7 8 9 10; do
  look
  [ -n "$living" ] || [ $round -lt 4 ] || exit 0
  send KILL
  pause 0.1
done
